"""Makes the picture of `talus render` with ParaView, to start one's own pictures from.

    pvbatch picture.py DIRECTORY [PICTURE.png]

DIRECTORY is a directory of results (particles.pvd and, if there is one, walls.pvd). The last frame is drawn:
spheres coloured by speed, walls as clear sheets; plane scenes along -z, others obliquely from above. For ParaView
5.10 or later: earlier ones have other names for the bounds of Threshold and the places of texts.
"""

import math
import os
import sys

from paraview.simple import *

SIZE = [1280, 960]
VIEW_ANGLE = 24.0  # between the lower and the upper border [deg]
AZIMUTH, ELEVATION = math.radians(-62.0), math.radians(16.0)  # of the camera, seen from the scene
ROOM = 0.8  # share of the picture that the scene may fill
SCALE = [0.27, 0.50, 0.80, 0.45, 0.72, 0.87, 0.74, 0.90, 0.88, 0.99, 0.90, 0.60, 0.98, 0.64, 0.35, 0.88, 0.27, 0.20]


def open_collection(directory, name):
    """The collection, updated to its last frame; None if the run did not write it."""
    path = os.path.join(directory, name + ".pvd")
    if not os.path.exists(path):
        return None
    reader = PVDReader(FileName=path)
    reader.UpdatePipeline(reader.TimestepValues[-1])
    return reader


def show_particles(particles, view):
    """Spheres of the right size: the sphere source has radius 0.5, so it is scaled by the diameter."""
    speed = Calculator(Input=particles, ResultArrayName="speed", Function="mag(velocity)")
    spheres = Glyph(Input=speed, GlyphType="Sphere", GlyphMode="All Points")
    spheres.OrientationArray = ["POINTS", "No orientation array"]
    spheres.ScaleArray = ["POINTS", "diameter"]
    spheres.ScaleFactor = 1.0
    display = Show(spheres, view)
    ColorBy(display, ("POINTS", "speed"))
    scale = GetColorTransferFunction("speed")
    high = max(speed.PointData["speed"].GetRange()[1], 1e-300) if speed.PointData["speed"] else 1.0
    colors = [SCALE[3 * k : 3 * k + 3] for k in range(6)]
    scale.RGBPoints = [x for k, color in enumerate(colors) for x in [high * k / 5.0] + color]
    bar = GetScalarBar(scale, view)
    bar.Title, bar.ComponentTitle = "speed [m/s]", ""
    bar.TitleColor = bar.LabelColor = [0.16, 0.18, 0.22]
    display.SetScalarBarVisibility(view, True)
    return spheres


def show_walls(walls, view, flat):
    sheets = Show(walls, view)
    ColorBy(sheets, None)
    sheets.DiffuseColor = sheets.AmbientColor = [0.36, 0.42, 0.50]
    sheets.Opacity = 1.0 if flat else 0.12
    sheets.LineWidth = 2.0
    if not flat:
        edges = Show(FeatureEdges(Input=walls), view)
        ColorBy(edges, None)
        edges.DiffuseColor = edges.AmbientColor = [0.36, 0.42, 0.50]


def join(a, b):
    return [f(x, y) for f, x, y in zip([min, max] * 3, a, b)]


def place_camera(view, bounds, flat):
    """Puts the whole box into the picture."""
    low, high = bounds[0::2], bounds[1::2]
    centre = [0.5 * (a + b) for a, b in zip(low, high)]
    size = [b - a for a, b in zip(low, high)]
    aspect = SIZE[0] / SIZE[1]
    view.CameraFocalPoint = centre
    view.CameraParallelProjection = int(flat)
    if flat:
        half_height = 0.5 * max(size[1], size[0] / aspect) / ROOM
        view.CameraPosition = [centre[0], centre[1], centre[2] + 4.0 * half_height]
        view.CameraViewUp = [0.0, 1.0, 0.0]
        view.CameraParallelScale = half_height
        return
    radius = 0.5 * math.sqrt(sum(s * s for s in size))
    distance = radius / (ROOM * math.sin(math.radians(0.5 * VIEW_ANGLE)))
    towards = [math.cos(ELEVATION) * math.cos(AZIMUTH), math.cos(ELEVATION) * math.sin(AZIMUTH), math.sin(ELEVATION)]
    view.CameraPosition = [c + distance * t for c, t in zip(centre, towards)]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.CameraViewAngle = VIEW_ANGLE


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    directory = sys.argv[1]
    picture = sys.argv[2] if len(sys.argv) == 3 else os.path.join(directory, "picture.png")
    particles = open_collection(directory, "particles")
    if particles is None:
        sys.exit(directory + ": holds no particles.pvd; give a directory of results of talus")
    time = particles.TimestepValues[-1]

    view = CreateRenderView()
    view.ViewSize = SIZE
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    view.ViewTime = time

    bounds = particles.GetDataInformation().GetBounds()
    flat = bounds[4] == 0.0 == bounds[5]
    spheres = show_particles(particles, view)
    spheres.UpdatePipeline(time)
    bounds = spheres.GetDataInformation().GetBounds()
    walls = open_collection(directory, "walls")
    if walls is not None:
        show_walls(walls, view, flat)
        # Unbounded walls (cells with bounded = 0) go on beyond the picture.
        closed = Threshold(Input=walls, Scalars=["CELLS", "bounded"], LowerThreshold=1.0, UpperThreshold=1.0)
        closed.UpdatePipeline(time)
        if closed.GetDataInformation().GetNumberOfPoints() > 0:
            bounds = join(bounds, closed.GetDataInformation().GetBounds())

    caption = Show(Text(Text="t = %.4g s" % time), view)
    caption.Color = [0.16, 0.18, 0.22]
    caption.WindowLocation = "Upper Left Corner"
    place_camera(view, bounds, flat)
    SaveScreenshot(picture, view, ImageResolution=SIZE)
    print(picture)


main()
