"""arcade: a sprite list of one texture atlas, shapes, a camera, and a shader of its own over a framebuffer; ARCADE_HEADLESS=True for none
but a pbuffer."""

import sys

import arcade
import arcade.gl
from PIL import Image

window = arcade.Window(220, 160, "scene", antialiasing=False, visible=True)


def texture(n):
    image = Image.new("RGBA", (16, 16))
    for y in range(16):
        for x in range(16):
            image.putpixel((x, y), (x * 16, y * 16, n * 50, 255 if (x - 8) ** 2 + (y - 8) ** 2 < 60 else 0))
    return arcade.Texture(image, hash=f"scene-{n}")


textures = [texture(n) for n in range(5)]
sprites = arcade.SpriteList()
for n in range(30):
    sprite = arcade.Sprite(textures[n % 5], scale=1 + n % 2, center_x=15 + n * 7, center_y=20 + n * 53 % 130, angle=n * 13)
    sprite.alpha = 255 - n * 5
    sprites.append(sprite)

context = window.ctx
layer = context.framebuffer(color_attachments=[context.texture((101, 73), components=4)])
quad = arcade.gl.geometry.quad_2d_fs()
program = context.program(
    vertex_shader="""#version 330
in vec2 in_vert; in vec2 in_uv; out vec2 uv;
void main() { gl_Position = vec4(in_vert, 0.0, 1.0); uv = in_uv; }""",
    fragment_shader="""#version 330
uniform sampler2D image; uniform float amount; in vec2 uv; out vec4 color;
void main() {
    vec4 c = texture(image, uv + vec2(sin(uv.y * 12.0) * 0.03, 0.0));
    color = vec4(mix(c.rgb, c.brg, amount), 1.0);
}""",
)
camera = arcade.Camera2D()
for frame in range(3):
    window.switch_to()
    with layer.activate():
        layer.clear(color=(20, 30, 60, 255))
        sprites.draw(pixelated=True)
    window.use()
    window.clear(color=(90, 90, 90, 255))
    layer.color_attachments[0].use(0)
    program["amount"] = 0.4
    quad.render(program)
    camera.zoom = 1.27
    with camera.activate():
        arcade.draw_circle_filled(60, 60, 30, (200, 30, 90, 160))
        arcade.draw_rect_outline(arcade.LBWH(100, 30, 80, 60), (255, 255, 0, 255), 4)
        arcade.draw_line(10, 150, 210, 20, (0, 255, 160, 255), 3)
        sprites.draw()
        arcade.draw_text("MobileGL", 20, 120, (255, 255, 255, 255), 16)
    sprites.move(1, 2)
    if frame < 2:
        window.flip()
arcade.get_image(0, 0, 220, 160).save(sys.argv[1])
print(context.info.RENDERER, file=sys.stderr)
