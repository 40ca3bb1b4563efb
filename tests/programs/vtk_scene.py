"""VTK: lit and textured actors, a translucent one with depth peeling, wireframe, points, lines and text; GLX where DISPLAY is set, else EGL."""

import sys

import vtk

renderer = vtk.vtkRenderer()
renderer.SetBackground(0.1, 0.2, 0.3)
renderer.SetBackground2(0.5, 0.5, 0.6)
renderer.GradientBackgroundOn()


def actor(source, at, color, mapper=None):
    mapper = mapper or vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    made = vtk.vtkActor()
    made.SetMapper(mapper)
    made.SetPosition(at)
    made.GetProperty().SetColor(color)
    renderer.AddActor(made)
    return made


sphere = vtk.vtkSphereSource()
sphere.SetThetaResolution(24)
sphere.SetPhiResolution(16)
lit = actor(sphere, (-0.8, 0.5, 0), (0.9, 0.3, 0.2))
lit.GetProperty().SetSpecular(0.6)
lit.GetProperty().SetSpecularPower(20)
lit.GetProperty().SetInterpolationToPhong()

cone = vtk.vtkConeSource()
cone.SetResolution(20)
wire = actor(cone, (0.7, 0.6, 0.2), (0.3, 0.9, 0.4))
wire.GetProperty().EdgeVisibilityOn()

plane = vtk.vtkPlaneSource()
board = vtk.vtkImageCanvasSource2D()
board.SetExtent(0, 31, 0, 31, 0, 0)
board.SetScalarTypeToUnsignedChar()
board.SetNumberOfScalarComponents(3)
for n in range(16):
    board.SetDrawColor(n * 16, 255 - n * 12, (n * 77) % 256)
    board.FillBox(n % 4 * 8, n % 4 * 8 + 7, n // 4 * 8, n // 4 * 8 + 7)
textured = actor(plane, (-0.6, -0.6, 0.1), (1, 1, 1))
texture = vtk.vtkTexture()
texture.SetInputConnection(board.GetOutputPort())
texture.InterpolateOn()
textured.SetTexture(texture)

cube = vtk.vtkCubeSource()
glass = actor(cube, (0.2, 0, 0.6), (0.3, 0.5, 1.0))
glass.GetProperty().SetOpacity(0.4)
glass.RotateWXYZ(30, 1, 1, 0)
renderer.UseDepthPeelingOn()
renderer.SetMaximumNumberOfPeels(4)
renderer.SetOcclusionRatio(0.0)

elevation = vtk.vtkElevationFilter()
ball = vtk.vtkSphereSource()
ball.SetThetaResolution(12)
elevation.SetInputConnection(ball.GetOutputPort())
elevation.SetLowPoint(0, 0, -0.5)
elevation.SetHighPoint(0, 0, 0.5)
scalars = actor(elevation, (0.8, -0.6, 0), (1, 1, 1))
scalars.GetProperty().SetInterpolationToFlat()

text = vtk.vtkTextActor()
text.SetInput("MobileGL")
text.GetTextProperty().SetFontSize(18)
text.SetPosition(8, 6)
renderer.AddViewProp(text)

light = vtk.vtkLight()
light.SetPosition(2, 3, 4)
light.SetColor(1, 0.9, 0.8)
renderer.AddLight(light)

window = vtk.vtkRenderWindow()
window.SetMultiSamples(0)
window.SetAlphaBitPlanes(1)
window.SetSize(240, 180)
window.SetOffScreenRendering(1)
window.AddRenderer(renderer)
renderer.GetActiveCamera().SetPosition(0.6, 0.8, 4.5)
renderer.ResetCameraClippingRange()
for frame in range(3):
    lit.RotateZ(10)
    window.Render()
grab = vtk.vtkWindowToImageFilter()
grab.SetInput(window)
grab.ReadFrontBufferOff()
writer = vtk.vtkPNGWriter()
writer.SetFileName(sys.argv[1])
writer.SetInputConnection(grab.GetOutputPort())
writer.Write()
print(window.ReportCapabilities().split("OpenGL renderer string:")[1].splitlines()[0], file=sys.stderr)
