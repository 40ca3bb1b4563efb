"""pyglet: sprites of an atlas, shapes, a label, blending and a projection, in a window or (HEADLESS=1) a pbuffer."""

import os
import sys

import pyglet

pyglet.options.headless = os.environ.get("HEADLESS") == "1"
pyglet.options.shadow_window = False

window = pyglet.window.Window(200, 150, visible=not pyglet.options.headless)
batch = pyglet.graphics.Batch()
back, middle, front = (pyglet.graphics.Group(order=n) for n in range(3))


def tile(n):
    """8x8 texels, no two rows or columns alike."""
    texels = bytearray()
    for y in range(8):
        for x in range(8):
            texels += bytes((x * 36, y * 36, (x * y * 5 + n * 60) % 256, 255 if (x + y + n) % 3 else 128))
    return pyglet.image.ImageData(8, 8, "RGBA", bytes(texels))


atlas = pyglet.image.atlas.TextureAtlas(64, 64)
images = [atlas.add(tile(n)) for n in range(4)]
kept = []
for n in range(12):
    sprite = pyglet.sprite.Sprite(images[n % 4], x=12 + n * 15, y=20 + (n * 37) % 90, batch=batch, group=middle)
    sprite.update(rotation=n * 25, scale=1.0 + n % 3)
    sprite.opacity = 255 - n * 12
    kept.append(sprite)
kept += [
    pyglet.shapes.Rectangle(10, 10, 90, 60, color=(40, 90, 160, 255), batch=batch, group=back),
    pyglet.shapes.Circle(140, 90, 40, segments=30, color=(200, 60, 30, 180), batch=batch, group=back),
    pyglet.shapes.Line(5, 145, 195, 75, 5, color=(250, 250, 80, 255), batch=batch, group=front),
    pyglet.shapes.Star(60, 105, 30, 12, 5, color=(90, 220, 120, 200), batch=batch, group=front),
    pyglet.text.Label("MobileGL 4.6", x=14, y=50, font_size=14, color=(255, 255, 255, 255), batch=batch, group=front),
]
for frame in range(3):
    window.switch_to()
    window.clear()
    batch.draw()
    if frame < 2:
        window.flip()
    kept[0].x += 7
pyglet.image.get_buffer_manager().get_color_buffer().get_image_data().save(sys.argv[1])
print(pyglet.gl.gl_info.get_renderer(), file=sys.stderr)
