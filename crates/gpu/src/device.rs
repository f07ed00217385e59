//! A device that runs shaders, found through `wgpu` (Vulkan, Metal or Direct3D 12), and what to
//! tell a user where there is none.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use thiserror::Error;

/// There is nothing to run shaders on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no graphics processor can be used ({reason}): it takes a device with a driver for Vulkan, \
     Metal or Direct3D 12; the engines `torus` and `tiles` need none"
)]
pub struct GpuError {
    /// What the driver or the lack of one said.
    pub reason: String,
}

/// Bytes that are read back at a time.
const READ_BYTES: u64 = 64 << 20;

/// An open device.
#[derive(Debug)]
pub struct GpuDevice {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    name: String,
    is_software: bool,
    /// The first thing that went wrong and was not waited for.
    fault: Arc<Mutex<Option<String>>>,
}

impl GpuDevice {
    /// The best device of this machine, opened once for the whole process.
    ///
    /// # Errors
    /// When there is none, or its driver refuses.
    ///
    /// ```
    /// match gpu::GpuDevice::shared() {
    ///     Ok(device) => println!("{}", device.name()),
    ///     Err(error) => println!("{error}"),
    /// }
    /// ```
    pub fn shared() -> Result<&'static Self, GpuError> {
        static SHARED: OnceLock<Result<GpuDevice, GpuError>> = OnceLock::new();
        let opened = SHARED.get_or_init(|| pollster::block_on(Self::open()));
        opened.as_ref().map_err(Clone::clone)
    }

    async fn open() -> Result<Self, GpuError> {
        let refusal = |reason: String| GpuError { reason };
        let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
        // drivers that stand in for hardware are not conformant in everything; what we need of
        // them is held by tests
        description.flags |= wgpu::InstanceFlags::ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER;
        let instance = wgpu::Instance::new(description);
        let wanted = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance.request_adapter(&wanted).await;
        let adapter = adapter.map_err(|error| refusal(error.to_string()))?;
        let info = adapter.get_info();
        let wanted = wgpu::DeviceDescriptor {
            label: Some("gridpaper"),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let opened = adapter.request_device(&wanted).await;
        let (device, queue) = opened.map_err(|error| refusal(error.to_string()))?;
        let fault = Arc::new(Mutex::new(None));
        let (heard, lost) = (fault.clone(), fault.clone());
        device.on_uncaptured_error(Arc::new(move |error| note(&heard, error.to_string())));
        device.set_device_lost_callback(move |_, why| note(&lost, why));
        Ok(Self {
            device,
            queue,
            name: info.name,
            is_software: info.device_type == wgpu::DeviceType::Cpu,
            fault,
        })
    }

    /// What its maker calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a program that does on the processor what a device would do.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Takes what went wrong since the last time.
    pub(crate) fn take_fault(&self) -> Option<String> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.take()
    }

    /// Does something on the device, and tells what of it the driver refuses.
    pub(crate) fn checked<T>(&self, act: impl FnOnce() -> T) -> Result<T, String> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let other = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let done = act();
        let refused = pollster::block_on(other.pop());
        match refused.or(pollster::block_on(memory.pop())) {
            None => Ok(done),
            Some(error) => Err(error.to_string()),
        }
    }
}

impl GpuDevice {
    /// A buffer that shaders read and write, of zeros.
    pub(crate) fn buffer(&self, label: &str, size: u64) -> wgpu::Buffer {
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// A buffer with these words in it.
    pub(crate) fn filled_buffer(
        &self,
        label: &str,
        words: impl IntoIterator<Item = u32>,
    ) -> wgpu::Buffer {
        let words: Vec<u32> = words.into_iter().collect();
        let buffer = self.buffer(label, 4 * words.len() as u64);
        let bytes = bytemuck::cast_slice(&words);
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    /// A shader that can be run.
    pub(crate) fn pipeline(&self, text: &str, entry_point: &str) -> wgpu::ComputePipeline {
        let source = wgpu::ShaderSource::Wgsl(text.into());
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(entry_point),
                source,
            });
        self.device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry_point),
                layout: None,
                module: &module,
                entry_point: Some(entry_point),
                compilation_options: Default::default(),
                cache: None,
            })
    }

    /// The buffers of a shader's first group, from binding 0 on.
    pub(crate) fn bindings(
        &self,
        pipeline: &wgpu::ComputePipeline,
        buffers: &[&wgpu::Buffer],
    ) -> wgpu::BindGroup {
        let entries: Vec<_> = buffers
            .iter()
            .zip(0..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    }

    /// Waits for all that was submitted; what went wrong, if anything did.
    pub(crate) fn wait(&self) -> Result<(), String> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        match self.take_fault() {
            Some(fault) => Err(fault),
            None => waited.map(|_| ()).map_err(|error| error.to_string()),
        }
    }

    /// Reads a buffer from its beginning, once all that was submitted is done.
    pub(crate) fn read(&self, from: &wgpu::Buffer, bytes: &mut [u8]) -> Result<(), String> {
        let size = READ_BYTES.min(bytes.len() as u64);
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut offset = 0;
        for part in bytes.chunks_mut(size as usize) {
            let length = part.len() as u64;
            let mut encoder = self.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(from, offset, &staging, 0, length);
            self.queue.submit([encoder.finish()]);
            staging.map_async(wgpu::MapMode::Read, 0..length, |_| ());
            self.wait()?;
            let mapped = staging.get_mapped_range(0..length);
            part.copy_from_slice(&mapped.map_err(|error| error.to_string())?);
            staging.unmap();
            offset += length;
        }
        Ok(())
    }
}

fn note(fault: &Mutex<Option<String>>, what: String) {
    let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
    fault.get_or_insert(what);
}
