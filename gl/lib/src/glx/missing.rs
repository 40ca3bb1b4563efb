//! Commands of GLX extensions that are not there, each exported all the same: it says its name and does nothing. No extension string
//! names them, so that a program which calls one has not asked.

/// Exports functions that refuse by name. Arguments are the caller's to clean up in C's convention, so none are declared.
macro_rules! missing {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> usize {
                eprintln!(concat!("MobileGL: ", stringify!($name), " is not implemented"));
                0
            }
        )*

        /// Their addresses.
        pub(super) fn address(name: &str) -> Option<*const std::ffi::c_void> {
            Some(match name {
                $(stringify!($name) => $name as *const std::ffi::c_void,)*
                _ => return None,
            })
        }
    };
}

missing! {
    glXGetGPUIDsAMD glXGetGPUInfoAMD glXGetContextGPUIDAMD glXCreateAssociatedContextAMD glXCreateAssociatedContextAttribsAMD
    glXDeleteAssociatedContextAMD glXMakeAssociatedContextCurrentAMD glXGetCurrentAssociatedContextAMD glXBlitContextFramebufferAMD
    glXGetCurrentDisplayEXT glXQueryContextInfoEXT glXGetContextIDEXT glXImportContextEXT glXFreeContextEXT
    glXBindTexImageEXT glXReleaseTexImageEXT
    glXGetAGPOffsetMESA glXCopySubBufferMESA glXCreateGLXPixmapMESA
    glXQueryCurrentRendererIntegerMESA glXQueryCurrentRendererStringMESA glXQueryRendererIntegerMESA glXQueryRendererStringMESA
    glXReleaseBuffersMESA glXSet3DfxModeMESA
    glXCopyBufferSubDataNV glXNamedCopyBufferSubDataNV glXCopyImageSubDataNV glXDelayBeforeSwapNV
    glXEnumerateVideoDevicesNV glXBindVideoDeviceNV
    glXJoinSwapGroupNV glXBindSwapBarrierNV glXQuerySwapGroupNV glXQueryMaxSwapGroupsNV glXQueryFrameCountNV glXResetFrameCountNV
    glXBindVideoCaptureDeviceNV glXEnumerateVideoCaptureDevicesNV glXLockVideoCaptureDeviceNV glXQueryVideoCaptureDeviceNV
    glXReleaseVideoCaptureDeviceNV
    glXGetVideoDeviceNV glXReleaseVideoDeviceNV glXBindVideoImageNV glXReleaseVideoImageNV glXSendPbufferToVideoNV glXGetVideoInfoNV
    glXGetSyncValuesOML glXGetMscRateOML glXSwapBuffersMscOML glXWaitForMscOML glXWaitForSbcOML
    glXCushionSGI glXGetVideoSyncSGI glXWaitVideoSyncSGI
    glXAssociateDMPbufferSGIX glXCreateGLXPixmapWithConfigSGIX
    glXQueryHyperpipeNetworkSGIX glXHyperpipeConfigSGIX glXQueryHyperpipeConfigSGIX glXDestroyHyperpipeConfigSGIX
    glXBindHyperpipeSGIX glXQueryHyperpipeBestAttribSGIX glXHyperpipeAttribSGIX glXQueryHyperpipeAttribSGIX
    glXBindSwapBarrierSGIX glXQueryMaxSwapBarriersSGIX glXJoinSwapGroupSGIX
    glXBindChannelToWindowSGIX glXChannelRectSGIX glXQueryChannelRectSGIX glXQueryChannelDeltasSGIX glXChannelRectSyncSGIX
    glXCreateGLXVideoSourceSGIX glXDestroyGLXVideoSourceSGIX glXGetTransparentIndexSUN
}
