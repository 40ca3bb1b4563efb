"""Contexts for moderngl's own tests, through EGL without a window.

The source distribution holds the tests but not the fixtures that they name: `ctx` is one context for the whole
session, with the state of a new one for every test; `ctx_static` is the same context for fixtures that live longer
than a test; `ctx_new` is a context of its own.
"""

import gc
import struct

import moderngl
import pytest


def create():
    return moderngl.create_context(standalone=True, backend="egl", require=330)


@pytest.fixture(scope="session")
def ctx_session():
    return create()


@pytest.fixture(scope="module")
def ctx_static(ctx_session):
    # Fixtures make their objects in it before a test has entered it.
    with ctx_session:
        yield ctx_session


@pytest.fixture
def ctx(ctx_session):
    ctx = ctx_session
    with ctx:
        ctx.gc_mode = None
        ctx.enable_only(moderngl.NOTHING)
        ctx.blend_func = moderngl.DEFAULT_BLENDING
        ctx.blend_equation = moderngl.FUNC_ADD
        ctx.depth_func = "<"
        ctx.cull_face = "back"
        ctx.front_face = "ccw"
        ctx.wireframe = False
        if ctx.screen:
            ctx.screen.use()
        # Reading takes what an earlier test left behind.
        assert ctx.error is not None
        yield ctx
    gc.collect()


@pytest.fixture
def ctx_new():
    ctx = create()
    yield ctx
    ctx.release()
    gc.collect()


@pytest.fixture
def color_prog(ctx):
    return ctx.program(
        vertex_shader="""
            #version 330
            in vec2 in_vert;
            void main() { gl_Position = vec4(in_vert, 0.0, 1.0); }
        """,
        fragment_shader="""
            #version 330
            uniform vec4 color;
            out vec4 fragColor;
            void main() { fragColor = color; }
        """,
    )


@pytest.fixture
def ndc_quad(ctx):
    return ctx.buffer(struct.pack("12f", -1.0, 1.0, -1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0))
