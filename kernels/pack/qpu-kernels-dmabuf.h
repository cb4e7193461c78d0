/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures in dmabufs for qpu-kernels-example.c: a dmabuf of ordinary memory, as a camera or a decoder has of its pictures, and its import
 * as a buffer of Vulkan. Both need Linux' /dev/udmabuf and a driver with VK_EXT_external_memory_dma_buf. Functions return -1 or a VkResult
 * below 0 where something fails. No function closes what it was given, but for the import, which takes the file descriptor.
 */
#ifndef QPU_KERNELS_DMABUF_H
#define QPU_KERNELS_DMABUF_H

/* For memfd_create, so this file is the first that is included. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#define DMABUF VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
#define DMABUF_EXTENSIONS ((const char *const[]) { "VK_KHR_external_memory_fd", "VK_EXT_external_memory_dma_buf" })

/* 2, the number of extensions, if there are dmabufs here that the device imports as buffers, else 0. */
static uint32_t
dmabuf_extensions (VkPhysicalDevice physical)
{
  VkPhysicalDeviceExternalBufferInfo info = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO, NULL, 0,
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, DMABUF };
  VkExternalBufferProperties properties = { .sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES };
  VkExtensionProperties offered[512];
  uint32_t count = 512, found = 0;
  if (access ("/dev/udmabuf", R_OK | W_OK) != 0 || vkEnumerateDeviceExtensionProperties (physical, NULL, &count, offered) < 0)
    return 0;
  for (uint32_t i = 0; i < count; i++)
    found += strcmp (offered[i].extensionName, DMABUF_EXTENSIONS[0]) == 0
        || strcmp (offered[i].extensionName, DMABUF_EXTENSIONS[1]) == 0;
  if (found != 2)
    return 0;
  vkGetPhysicalDeviceExternalBufferProperties (physical, &info, &properties);
  return properties.externalMemoryProperties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT ? 2 : 0;
}

/* A dmabuf of whole pages, 0 in all bytes, and the memory that it is made of. */
static int
dmabuf_make (size_t bytes, void **mapped)
{
  struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC };
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  int maker = open ("/dev/udmabuf", O_RDWR | O_CLOEXEC);
  int file = memfd_create ("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  int made = -1;
  create.memfd = (uint32_t) file;
  create.size = (bytes + page - 1) / page * page;
  if (maker >= 0 && file >= 0 && ftruncate (file, (off_t) create.size) == 0 && fcntl (file, F_ADD_SEALS, F_SEAL_SHRINK) == 0) {
    *mapped = mmap (NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (*mapped != MAP_FAILED)
      made = ioctl (maker, UDMABUF_CREATE, &create);
  }
  if (maker >= 0)
    close (maker);
  if (file >= 0)
    close (file);
  return made;
}

/* The CPU begins or ends to read or write: flags of DMA_BUF_IOCTL_SYNC. Nothing is to be done for -1, which is no dmabuf. */
static int
dmabuf_cpu (int dmabuf, uint64_t flags)
{
  struct dma_buf_sync sync = { flags };
  return dmabuf < 0 ? 0 : ioctl (dmabuf, DMA_BUF_IOCTL_SYNC, &sync);
}

/* Makes a buffer and the dmabuf that it lies in: a driver may want more memory than the buffer has. */
static VkResult
dmabuf_buffer (VkDevice device, size_t bytes, VkBuffer *buffer, int *dmabuf, void **mapped)
{
  VkExternalMemoryBufferCreateInfo external = { VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, NULL, DMABUF };
  VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .pNext = &external,
    .size = bytes,
    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT };
  VkMemoryDedicatedAllocateInfo dedicated = { .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO };
  VkImportMemoryFdInfoKHR import = { VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, &dedicated, DMABUF, -1 };
  VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &import };
  VkMemoryFdPropertiesKHR properties = { .sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR };
  PFN_vkGetMemoryFdPropertiesKHR get_properties =
      (PFN_vkGetMemoryFdPropertiesKHR) vkGetDeviceProcAddr (device, "vkGetMemoryFdPropertiesKHR");
  VkMemoryRequirements needs;
  VkDeviceMemory allocated;
  VkResult result = vkCreateBuffer (device, &info, NULL, buffer);
  if (result != VK_SUCCESS)
    return result;
  vkGetBufferMemoryRequirements (device, *buffer, &needs);
  *dmabuf = dmabuf_make (needs.size, mapped);
  if (*dmabuf < 0)
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  result = get_properties (device, DMABUF, *dmabuf, &properties);
  if (result != VK_SUCCESS)
    return result;
  needs.memoryTypeBits &= properties.memoryTypeBits;
  if (needs.memoryTypeBits == 0)
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  while (!(needs.memoryTypeBits >> memory.memoryTypeIndex & 1))
    memory.memoryTypeIndex++;
  memory.allocationSize = needs.size;
  dedicated.buffer = *buffer;
  import.fd = fcntl (*dmabuf, F_DUPFD_CLOEXEC, 0);
  result = vkAllocateMemory (device, &memory, NULL, &allocated);
  if (result == VK_SUCCESS)
    return vkBindBufferMemory (device, *buffer, allocated, 0);
  close (import.fd);
  return result;
}

#endif
