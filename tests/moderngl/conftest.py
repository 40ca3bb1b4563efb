"""Contexts for moderngl's own tests, through EGL without a window.

The source distribution holds the tests but not the fixtures that they name: `ctx` is one context for the whole
session, with the state of a new one for every test; `ctx_new` is a context of its own.
"""

import gc

import moderngl
import pytest


def create():
    return moderngl.create_context(standalone=True, backend="egl")


@pytest.fixture(scope="session")
def ctx_session():
    return create()


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
        ctx.screen and ctx.screen.use()
        ctx.error
        yield ctx
    gc.collect()


@pytest.fixture
def ctx_new():
    ctx = create()
    yield ctx
    ctx.release()
    gc.collect()


@pytest.fixture
def ctx_static(ctx):
    return ctx
