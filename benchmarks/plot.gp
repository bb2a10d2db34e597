# Draws the rows of one stage from a CSV file of talus-bench; each stage at most once in the file.
#   gnuplot -e "stage='scaling'; csv='bench.csv'; svg='scaling.svg'" benchmarks/plot.gp
# Stages: packings, operator, growth, scaling, size_ratio, hopper.
# Columns: 3 variant, 4 bodies, 6 threads, 8 median ms, 9 iterations, 11 ns per item, 13 and 14 GB/s of the stage and of
# triad, 17 bytes a body, 18 speed-up, 20 seconds per simulated second. Times are drawn for one thread.
set datafile separator ','
set datafile missing NaN
set terminal svg size 720,540 background 'white'
set output svg
set grid
set pointsize 0.6
set style data linespoints
row(variant) = strcol(2) eq stage && strcol(3) eq variant
one(variant, value) = row(variant) && $6 == 1 ? value : NaN
starting(text, value) = strcol(2) eq stage && strstrt(strcol(3), text) == 1 ? value : NaN

if (stage eq 'packings') {
# One step without friction: CPU seconds of one thread of a busy machine, +- 30 %.
    array size[3] = [1000, 8000, 64000]
    array scopi[3] = [1.5, 26.5, 658]
    array multicore[3] = [0.015, 0.14, 1.9]
    array psor[3] = [0.033, 0.4, 4.0]
    set logscale xy
    set key outside below
    set xlabel 'spheres'
    set ylabel 'seconds a step, one thread'
    set xrange [500:128000]
    plot for [solver in 'monotone_pgs clip_cg apgd'] csv using 4:(one(solver.' 1e-03 warm', $8 / 1e3)) \
             title solver.' 1e-3 warm' noenhanced, \
         for [solver in 'monotone_pgs clip_cg apgd'] csv using 4:(one(solver.' 1e-06 m/s cold', $8 / 1e3)) \
             dashtype 2 title solver.' 1e-6 m/s cold' noenhanced, \
         size using (size[$1]):(multicore[$1]) title 'Chrono multicore APGD, 50 it. (1e-3 m/s)', \
         size using (size[$1]):(psor[$1]) title 'Chrono core PSOR, 50 it. (1e-3 m/s)', \
         size using (size[$1]):(scopi[$1]) title 'SCoPI, accelerated gradient 1e-3'
}
if (stage eq 'operator') {
    set logscale x
    set xlabel 'spheres'
    set ylabel 'ns per contact and iteration'
    set y2label 'bandwidth over STREAM triad'
    set yrange [0:*]
    set y2range [0:1]
    set y2tics
    plot csv using 4:(one('200 fused sweeps', $11)) title 'time', \
         csv using 4:(one('200 fused sweeps', $13 / $14)) axes x1y2 title 'bandwidth'
}
if (stage eq 'growth') {
    curves = '"box 1e-02 next" "box 1e-04 next" "column 1e-04 next"'
    set logscale xy
    set key left top
    set multiplot layout 3,1
    set ylabel 'ms a step'
    plot for [curve in curves] csv using 4:(one(curve, $8)) title curve
    set ylabel 'iterations'
    plot for [curve in curves] csv using 4:(one(curve, $9)) notitle
    set ylabel 'bytes a sphere'
    set xlabel 'spheres'
    plot for [curve in curves] csv using 4:(one(curve, $17)) notitle
    unset multiplot
}
if (stage eq 'scaling') {
    set key left top
    set xlabel 'threads'
    set ylabel 'speed-up'
    set xrange [0.5:*]
    set yrange [0:*]
    plot x title 'ideal' with lines dashtype 2, \
         for [kind in 'strong weak'] csv using 6:(starting(kind, $18)) title kind
}
if (stage eq 'size_ratio') {
    ratio(part) = strcol(2) eq stage && strstrt(strcol(3), '1:') == 1 && word(strcol(3), 2) eq part \
                  ? real(substr(word(strcol(3), 1), 3, 9)) : NaN
    set logscale xy
    set key left top
    set xlabel 'largest over smallest radius'
    set ylabel 'ms a step'
    set xrange [0.8:200]
    plot for [part in 'broad_phase contacts solve'] csv using (ratio(part)):8 title part noenhanced
}
if (stage eq 'hopper') {
    set logscale xy
    set key left top
    set xlabel 'spheres'
    set ylabel 'seconds per simulated second'
    plot for [part in '"step" "step broad_phase" "step contacts" "step solve" "step integrate" "step checks"'] \
        csv using 4:(one(part, $20)) title part noenhanced
}
