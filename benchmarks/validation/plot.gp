# Draws the rows of a study of talus-validate, which calls this itself:
#   gnuplot -e "study='discharge_2d'; csv='discharge_2d.csv'; svg='discharge_2d.svg'" benchmarks/validation/plot.gp
set datafile separator ','
set datafile missing NaN
set terminal svg size 720,540 background 'white'
set output svg
set grid
set pointsize 1
set key left top
set fit quiet
set fit logfile '/dev/null'

if (study eq 'discharge_2d' || study eq 'discharge_3d') {
    p = study eq 'discharge_2d' ? 1.5 : 2.5
    law(x) = a * (x - 1.4)**p
    a = 0.01
    fit law(x) csv using (column('orifice')):(column('rate')) via a
    set logscale xy
    set xrange [4:25]
    set xtics add (5, 7, 8, 10, 14, 20)
    set xlabel 'orifice over grain diameter'
    set ylabel 'rate [kg/s]'
    plot csv using (column('orifice')):(column('rate')):(column('rate_error')) with yerrorbars title 'talus', \
         law(x) title sprintf('(D - 1.4 d)^{%.1f}', p)
}
if (study eq 'silo') {
    array orifice[2] = [6, 8]
    array lammps[2] = [1.085, 2.627]
    set xrange [5:9]
    set yrange [0:3]
    set xtics add (5, 7, 8, 10, 14, 20)
    set xlabel 'orifice over grain diameter'
    set ylabel 'rate [kg/s]'
    plot csv using (column('orifice')):(column('rate')):(column('rate_error')) with yerrorbars title 'talus', \
         orifice using (orifice[$1]):(lammps[$1]):(0.05*lammps[$1]) with yerrorbars title 'LAMMPS +- 5 %'
}
if (study eq 'outlet_blocked') {
    set logscale y
    set xrange [0:4]
    set xlabel 'outlet over largest diameter'
    set ylabel 'grains let out + 1'
    plot for [d = 2:3] csv using (column('dimension') == d ? column('orifice') : NaN):(column('passed') + 1) \
        with points title sprintf('%d-D', d)
}
if (study eq 'collapse_2d' || study eq 'collapse_3d') {
    p = study eq 'collapse_2d' ? 0.7 : 0.5
    below = study eq 'collapse_2d' ? 2.5 : 1.24
    above = study eq 'collapse_2d' ? 3.25 : 1.6
    law(x) = x < (above/below)**(1/(1 - p)) ? below*x : above*x**p
    set logscale xy
    set xrange [0.3:15]
    set xtics add (0.5, 2, 5)
    set xlabel 'height over width of the column'
    set ylabel 'over the width of the column'
    plot csv using (column('aspect')):(column('run_out')) title 'run-out, 99 % of the mass', \
         csv using (column('aspect')):(column('covered_run_out')) title 'run-out, half covered', \
         csv using (column('aspect')):(column('height')) title 'final height', \
         law(x) title (study eq 'collapse_2d' ? 'run-out, Staron and Hinch 2005' : 'run-out, Lube et al. 2004')
}
if (study eq 'packing') {
    set key outside below
    array fraction[3] = [NaN, 0.64, 0.593]
    array contacts[3] = [4, 6, 4.5]
    set multiplot layout 2,1
    set xrange [-0.5:2.5]
    set xtics ('2-D, mu = 0' 0, '3-D, mu = 0' 1, '3-D, mu = 0.3' 2)
    set ylabel 'solid fraction'
    set yrange [0.5:0.9]
    kind(d, mu) = d == 2 ? 0 : mu == 0 ? 1 : 2
    plot csv using (kind(column('dimension'), column('friction'))):(column('solid_fraction')) title 'talus', \
         fraction using ($1 - 1):(fraction[$1]) title 'expected'
    set ylabel 'contacts of a grain'
    set yrange [3:7]
    plot csv using (kind(column('dimension'), column('friction'))):(column('contacts')) title 'talus, interior', \
         csv using (kind(column('dimension'), column('friction'))):(column('isostatic')) title 'talus, twice contacts over grains', \
         contacts using ($1 - 1):(contacts[$1]) title 'expected'
    unset multiplot
}
if (study eq 'janssen') {
    law(x) = length/x * (1 - exp(-x/length))
    length = 0.1
    fit law(x) csv using (column('wall_friction') > 0 ? column('height') : NaN):(column('carried')) via length
    set xlabel 'height of the fill [m]'
    set ylabel 'share of the weight on the bottom'
    set xrange [0:*]
    set yrange [0:1.1]
    set key left bottom
    plot csv using (column('wall_friction') > 0 ? column('height') : NaN):(column('carried')) title 'tube with friction', \
         csv using (column('wall_friction') == 0 ? column('height') : NaN):(column('carried')) title 'without', \
         law(x) title 'Janssen 1895, fitted'
}
if (study eq 'step_size') {
    set logscale x
    set xrange [0.4:5]
    set xtics (0.5, 1, 2, 4)
    set xlabel 'step [ms]'
    set ylabel 'over the figure of LAMMPS'
    set yrange [0.8:1.2]
    plot csv using (1e3*column('h')):(column('rate')/1.085):(column('rate_error')/1.085) with yerrorbars title 'rate of the silo', \
         csv using (1e3*column('h')):(column('run_out')/1.03) title 'run-out of the deposit', \
         csv using (1e3*column('h')):(column('height')/0.62) title 'height of the deposit'
}
