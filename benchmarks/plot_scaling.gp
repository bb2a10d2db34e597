# Speed-up over threads from a CSV of `talus-bench scaling`: gnuplot -e "csv='scaling.csv'; svg='scaling.svg'" plot_scaling.gp
set datafile separator ','
set terminal svg size 640,480 background 'white'
set output svg
set key left top
set xlabel 'threads'
set ylabel 'speed-up'
set grid
set xrange [0.5:*]
set yrange [0:*]
stats csv using (strcol(2) eq 'scaling' && $6 == 1 ? $8 : NaN) nooutput
serial = STATS_max
plot x title 'ideal' dashtype 2, csv using 6:(strcol(2) eq 'scaling' ? serial / $8 : NaN) with linespoints pointtype 7 title 'median'
