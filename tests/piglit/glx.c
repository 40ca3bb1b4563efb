/* What piglit's library takes from GLX. On EGL it only asks for entry points that way; nothing else here is called. */
typedef void *proc;

proc eglGetProcAddress(const char *name);

proc glXGetProcAddress(const char *name) { return eglGetProcAddress(name); }
proc glXGetProcAddressARB(const char *name) { return eglGetProcAddress(name); }

#define NOT_CALLED(name) \
    void name(void) { __builtin_trap(); }
NOT_CALLED(glXChooseFBConfig)
NOT_CALLED(glXChooseVisual)
NOT_CALLED(glXCreateContext)
NOT_CALLED(glXCreateGLXPixmap)
NOT_CALLED(glXCreateNewContext)
NOT_CALLED(glXCreatePbuffer)
NOT_CALLED(glXCreatePixmap)
NOT_CALLED(glXCreateWindow)
NOT_CALLED(glXDestroyContext)
NOT_CALLED(glXDestroyGLXPixmap)
NOT_CALLED(glXDestroyPbuffer)
NOT_CALLED(glXDestroyPixmap)
NOT_CALLED(glXDestroyWindow)
NOT_CALLED(glXGetClientString)
NOT_CALLED(glXGetCurrentDisplay)
NOT_CALLED(glXGetCurrentDrawable)
NOT_CALLED(glXGetFBConfigAttrib)
NOT_CALLED(glXGetFBConfigs)
NOT_CALLED(glXGetVisualFromFBConfig)
NOT_CALLED(glXIsDirect)
NOT_CALLED(glXMakeContextCurrent)
NOT_CALLED(glXMakeCurrent)
NOT_CALLED(glXQueryContext)
NOT_CALLED(glXQueryDrawable)
NOT_CALLED(glXQueryExtension)
NOT_CALLED(glXQueryExtensionsString)
NOT_CALLED(glXQueryServerString)
NOT_CALLED(glXQueryVersion)
NOT_CALLED(glXSelectEvent)
NOT_CALLED(glXSwapBuffers)
