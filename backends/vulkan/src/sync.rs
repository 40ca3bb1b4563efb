//! Fences and waiting: a fence is a serial. A poll submits what was not submitted, so that polling alone makes progress.

use crate::backend::VulkanBackend;
use pipe::{FenceId, FenceStatus};

impl VulkanBackend {
    /// The serial that everything recorded so far retires with.
    pub(crate) fn last_serial(&self) -> u64 {
        if self.commands.is_recording() {
            self.commands.serial()
        } else {
            self.commands.serial() - 1
        }
    }

    /// Submits what was recorded; ends the pass first.
    pub(crate) fn submit(&mut self) {
        if self.commands.is_recording() {
            self.outside();
            self.commands.submit(&mut self.gpu);
            self.settle_driver();
            self.pipelines.cache.save_if_quiet(&self.gpu);
            self.bound = Default::default();
        }
        self.commands.poll(&mut self.gpu);
        let completed = self.commands.completed();
        self.trash.collect(&mut self.gpu, completed);
        self.collect_twins();
        self.report_validation();
    }

    /// Waits for the first submission of a software device that has a pipeline: `exit` says why.
    fn settle_driver(&mut self) {
        let compiles_here = self.gpu.properties.device_type == ash::vk::PhysicalDeviceType::CPU;
        if !self.settled && compiles_here && !self.pipelines.is_empty() {
            self.settled = true;
            let last = self.commands.serial() - 1;
            self.commands.wait(&mut self.gpu, last, u64::MAX);
        }
    }

    /// Waits for a serial, submitting first if it was not.
    pub(crate) fn finish(&mut self, serial: u64) {
        if serial >= self.commands.serial() {
            self.submit();
        }
        self.commands.wait(&mut self.gpu, serial, u64::MAX);
        self.report_validation();
    }

    /// Waits for a fence's serial for at most so long.
    pub(crate) fn wait_fence(&mut self, fence: FenceId, timeout_ns: u64) -> FenceStatus {
        let Some(serial) = self.fences.get(fence).copied() else {
            return FenceStatus::Signalled;
        };
        if serial >= self.commands.serial() {
            self.submit();
        }
        if timeout_ns == 0 {
            self.commands.poll(&mut self.gpu);
        } else {
            self.commands.wait(&mut self.gpu, serial, timeout_ns);
        }
        if serial <= self.commands.completed() {
            FenceStatus::Signalled
        } else if self.is_lost() {
            FenceStatus::Failed
        } else {
            FenceStatus::Unsignalled
        }
    }
}
