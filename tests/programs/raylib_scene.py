"""raylib: models with a texture, a render texture, a shader, text and shapes, in a window by GLX."""

import sys

from raylib import ffi, rl

rl.SetTraceLogLevel(rl.LOG_INFO)  # tells the renderer
rl.InitWindow(240, 180, b"scene")
camera = ffi.new(
    "struct Camera3D *",
    [[4.0, 3.5, 5.0], [0.0, 0.5, 0.0], [0.0, 1.0, 0.0], 45.0, rl.CAMERA_PERSPECTIVE],
)
white, red, sky = [255, 255, 255, 255], [200, 50, 40, 255], [60, 110, 180, 255]
checked = rl.GenImageChecked(64, 64, 8, 16, red, white)
loaded = ffi.new("struct Texture *", rl.LoadTextureFromImage(checked))
rl.GenTextureMipmaps(loaded)
texture = loaded[0]
cube = rl.LoadModelFromMesh(rl.GenMeshCube(1.5, 1.5, 1.5))
knot = rl.LoadModelFromMesh(rl.GenMeshKnot(0.8, 1.5, 24, 48))
for model in (cube, knot):
    rl.SetMaterialTexture(ffi.addressof(model.materials[0]), rl.MATERIAL_MAP_ALBEDO, texture)
shader = rl.LoadShaderFromMemory(
    ffi.NULL,
    b"""#version 330
in vec2 fragTexCoord; in vec4 fragColor; uniform sampler2D texture0; uniform float level; out vec4 finalColor;
void main() { vec4 c = texture(texture0, fragTexCoord); finalColor = vec4(floor(c.rgb * level) / level, 1.0); }""",
)
level = ffi.new("float *", 5.0)
rl.SetShaderValue(shader, rl.GetShaderLocation(shader, b"level"), level, rl.SHADER_UNIFORM_FLOAT)
target = rl.LoadRenderTexture(240, 180)
for frame in range(3):
    rl.BeginTextureMode(target)
    rl.ClearBackground(sky)
    rl.BeginMode3D(camera[0])
    rl.DrawModelEx(cube, [-1.2, 0.8, 0], [0, 1, 0], 25.0 + frame, [1, 1, 1], white)
    rl.DrawModel(knot, [1.4, 1.0, 0], 0.7, [120, 220, 160, 255])
    rl.DrawSphere([0.0, 0.5, 1.8], 0.5, [240, 220, 60, 255])
    rl.DrawGrid(10, 1.0)
    rl.EndMode3D()
    rl.EndTextureMode()
    rl.BeginDrawing()
    rl.ClearBackground([30, 30, 30, 255])
    rl.BeginShaderMode(shader)
    rl.DrawTextureRec(target.texture, [0, 0, 240, -180], [0, 0], white)
    rl.EndShaderMode()
    rl.DrawText(b"MobileGL", 10, 150, 20, white)
    rl.DrawCircleGradient([200, 40], 30, [255, 255, 255, 200], [255, 0, 90, 40])
    rl.DrawRectangleLinesEx([120, 120, 100, 40], 3, [0, 255, 0, 255])
    rl.DrawTriangle([20, 60], [60, 70], [50, 20], [0, 0, 255, 128])
    if frame == 2:
        # What is drawn so far is in a batch of raylib's own.
        rl.rlDrawRenderBatchActive()
        image = rl.LoadImageFromScreen()
        rl.ExportImage(image, sys.argv[1].encode())
    rl.EndDrawing()
rl.CloseWindow()
