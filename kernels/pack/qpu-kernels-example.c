/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Deblocks an H.264 picture by its edge map and runs CDEF on an AV1 picture by its block map, on a Vulkan device, one submission for each,
 * and compares both with what a decoder made. Reads pictures as the project's golden vectors have them, unpacked by gunzip:
 * cc qpu-kernels-example.c $(pkg-config --cflags --libs qpu-kernels) -o qpu-kernels-example
 * ./qpu-kernels-example "$(pkg-config --variable=kernelsdir qpu-kernels)" h264.gvp av1.gvp [DEVICE]
 * Exit status: 0 both are equal, 1 one differs or something failed, 2 usage. What is made here lives as long as the process.
 */
#include "qpu-kernels-dmabuf.h"
#include <stdio.h>
#include <stdlib.h>
#include "qpu-kernels.h"

#define OP_BYTES 13
#define MAX_PIPELINES 5
#define MAX_CONSTANTS 32
#define IS(structure) .sType = VK_STRUCTURE_TYPE_##structure
/* Ends the program with one line. */
#define die(...) (fprintf (stderr, "qpu-kernels-example: " __VA_ARGS__), fputc ('\n', stderr), exit (1))
#define CHECK(...) ((result = (__VA_ARGS__)) == VK_SUCCESS ? (void) 0 : die ("%s failed: VkResult %d", #__VA_ARGS__, result))

typedef struct Golden
{
  const char *file;
  char *header;
  uint8_t *sections;
  size_t bytes;
} Golden;

typedef struct Buffer
{
  VkBuffer buffer;
  void *mapped;
  int dmabuf; /* or -1 */
} Buffer;

typedef struct Pipeline
{
  char kernel[64];
  uint32_t constants[MAX_CONSTANTS];
  VkPipeline pipeline;
} Pipeline;

static const char *kernels_folder;
static VkResult result;
static uint32_t extensions;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static QpuDevice traits;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkCommandPool commands_pool;
static Pipeline pipelines[MAX_PIPELINES + 1];

static uint8_t *
read_file (const char *name, size_t *bytes)
{
  int file = open (name, O_RDONLY | O_CLOEXEC);
  off_t size = lseek (file, 0, SEEK_END);
  void *content = size <= 0 ? MAP_FAILED : mmap (NULL, (size_t) size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (content == MAP_FAILED)
    die ("%s cannot be opened", name);
  close (file);
  *bytes = (size_t) size;
  return content;
}

static Golden
open_golden (const char *file, const char *kernel)
{
  size_t bytes;
  uint8_t *content = read_file (file, &bytes);
  uint8_t *end = memchr (content, '\n', bytes);
  if (end == NULL || content[0] != '{')
    die ("%s has no header; is it still packed? Try gunzip", file);
  *end = 0;
  if (strstr ((char *) content, kernel) == NULL)
    die ("%s is no picture of %s", file, kernel);
  return (Golden) { file, (char *) content, end + 1, bytes - (size_t) (end + 1 - content) };
}

/* The number after a name, from a place in the header on, which moves behind the name. */
static uint32_t
number (const Golden *golden, const char **from, const char *name)
{
  char quoted[32];
  long value = -1;
  snprintf (quoted, sizeof quoted, "\"%s\":", name);
  *from = strstr (*from, quoted);
  if (*from == NULL || sscanf (*from += strlen (quoted), "%ld", &value) != 1 || value < 0 || value > INT32_MAX)
    die ("%s has no number %s", golden->file, name);
  return (uint32_t) value;
}

/* A section, which must have as many bytes as given, unless these are 0. */
static const uint8_t *
section (const Golden *golden, const char *name, size_t *bytes)
{
  const char *at = golden->header;
  char quoted[64];
  size_t offset = 0;
  snprintf (quoted, sizeof quoted, "\"name\":\"%s\"", name);
  while ((at = strstr (at, "\"name\":")) != NULL) {
    int found = strncmp (at, quoted, strlen (quoted)) == 0;
    size_t size = number (golden, &at, "bytes");
    if (size > golden->bytes - offset)
      die ("%s is cut off", golden->file);
    if (found && (*bytes == 0 || *bytes == size)) {
      *bytes = size;
      return golden->sections + offset;
    }
    offset += size;
  }
  die ("%s has no section %s of the right size", golden->file, name);
}

static void
open_device (uint32_t index)
{
  VkApplicationInfo application = { IS (APPLICATION_INFO), .apiVersion = VK_API_VERSION_1_1 };
  VkInstanceCreateInfo instance_info = { IS (INSTANCE_CREATE_INFO), .pApplicationInfo = &application };
  VkInstance instance;
  VkPhysicalDevice devices[16];
  uint32_t count = 16, families_count = 32, family = 0;
  VkPhysicalDeviceSubgroupProperties subgroup = { IS (PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) };
  VkPhysicalDeviceProperties2 properties = { IS (PHYSICAL_DEVICE_PROPERTIES_2), .pNext = &subgroup };
  const VkSubgroupFeatureFlags needed = VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
  VkQueueFamilyProperties families[32];
  VkDeviceQueueCreateInfo queue_info = { IS (DEVICE_QUEUE_CREATE_INFO), .queueCount = 1, .pQueuePriorities = &(float) { 1 } };
  VkDeviceCreateInfo info = { IS (DEVICE_CREATE_INFO), .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info };
  VkDescriptorSetLayoutBinding bindings[QPU_BINDINGS];
  VkDescriptorSetLayoutCreateInfo set_info = { IS (DESCRIPTOR_SET_LAYOUT_CREATE_INFO), .bindingCount = QPU_BINDINGS,
    .pBindings = bindings };
  VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0, QPU_PUSH_BYTES };
  VkPipelineLayoutCreateInfo layout_info = { IS (PIPELINE_LAYOUT_CREATE_INFO), .setLayoutCount = 1, .pSetLayouts = &set_layout,
    .pushConstantRangeCount = 1, .pPushConstantRanges = &push };
  VkCommandPoolCreateInfo pool_info = { IS (COMMAND_POOL_CREATE_INFO) };
  CHECK (vkCreateInstance (&instance_info, NULL, &instance));
  if (vkEnumeratePhysicalDevices (instance, &count, devices) < 0 || index >= count)
    die ("there is no Vulkan device %u", index);
  physical = devices[index];
  vkGetPhysicalDeviceProperties2 (physical, &properties);
  traits.gpu = properties.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
  traits.discrete = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  traits.subgroup = subgroup.subgroupSize;
  traits.exchanges = subgroup.subgroupSize % 8 == 0 && (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0
      && (subgroup.supportedOperations & needed) == needed;
  vkGetPhysicalDeviceQueueFamilyProperties (physical, &families_count, families);
  while (!(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
    if (++family == families_count)
      die ("%s does not compute", properties.properties.deviceName);
  queue_info.queueFamilyIndex = family;
  info.enabledExtensionCount = extensions = dmabuf_extensions (physical);
  info.ppEnabledExtensionNames = DMABUF_EXTENSIONS;
  CHECK (vkCreateDevice (physical, &info, NULL, &device));
  vkGetDeviceQueue (device, family, 0, &queue);
  for (uint32_t i = 0; i < QPU_BINDINGS; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding) { i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
  CHECK (vkCreateDescriptorSetLayout (device, &set_info, NULL, &set_layout));
  CHECK (vkCreatePipelineLayout (device, &layout_info, NULL, &layout));
  pool_info.queueFamilyIndex = family;
  CHECK (vkCreateCommandPool (device, &pool_info, NULL, &commands_pool));
  printf ("device %s%s\n", properties.properties.deviceName, extensions ? ", pictures in dmabufs" : "");
}

/* Memory that the host sees, 0 in all bytes; of a picture a dmabuf, if the device imports such. Cards have scratch memory of their own. */
static Buffer
make_buffer (size_t bytes, int picture)
{
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkBufferCreateInfo info = { IS (BUFFER_CREATE_INFO), .size = bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT };
  VkMemoryAllocateInfo memory = { IS (MEMORY_ALLOCATE_INFO) };
  VkMemoryRequirements needs;
  VkPhysicalDeviceMemoryProperties types;
  VkDeviceMemory allocated;
  Buffer made = { .dmabuf = -1 };
  if (picture && extensions > 0) {
    CHECK (dmabuf_buffer (device, bytes, &made.buffer, &made.dmabuf, &made.mapped));
    return made;
  }
  CHECK (vkCreateBuffer (device, &info, NULL, &made.buffer));
  vkGetBufferMemoryRequirements (device, made.buffer, &needs);
  vkGetPhysicalDeviceMemoryProperties (physical, &types);
  while (!(needs.memoryTypeBits >> memory.memoryTypeIndex & 1)
      || (types.memoryTypes[memory.memoryTypeIndex].propertyFlags & wanted) != wanted)
    if (++memory.memoryTypeIndex == types.memoryTypeCount)
      die ("the device has no memory that the host sees");
  memory.allocationSize = needs.size;
  CHECK (vkAllocateMemory (device, &memory, NULL, &allocated));
  CHECK (vkBindBufferMemory (device, made.buffer, allocated, 0));
  CHECK (vkMapMemory (device, allocated, 0, bytes, 0, &made.mapped));
  memset (made.mapped, 0, bytes);
  return made;
}

/* The pipeline of a step, made when it is first asked for. */
static VkPipeline
pipeline_of (const QpuStep *step)
{
  VkSpecializationMapEntry entries[MAX_CONSTANTS];
  VkSpecializationInfo constants = { step->constants_bytes / 4, entries, step->constants_bytes, step->constants };
  VkShaderModuleCreateInfo module_info = { IS (SHADER_MODULE_CREATE_INFO) };
  VkComputePipelineCreateInfo info = { IS (COMPUTE_PIPELINE_CREATE_INFO), .layout = layout,
    .stage = { IS (PIPELINE_SHADER_STAGE_CREATE_INFO), .stage = VK_SHADER_STAGE_COMPUTE_BIT, .pName = "main",
        .pSpecializationInfo = &constants } };
  char file[4096];
  /* Deblocking takes at most two pipelines, CDEF three. */
  Pipeline *at = pipelines;
  for (; at->pipeline != VK_NULL_HANDLE; at++)
    if (strcmp (at->kernel, step->kernel) == 0 && memcmp (at->constants, step->constants, step->constants_bytes) == 0)
      return at->pipeline;
  snprintf (file, sizeof file, "%s/%s.spv", kernels_folder, step->kernel);
  uint8_t *spirv = read_file (file, &module_info.codeSize);
  if (!qpu_is_kernel (step->kernel, spirv, module_info.codeSize))
    die ("%s is not of the version of qpu-kernels.h, %s", file, QPU_FILTERS_VERSION);
  module_info.pCode = (const uint32_t *) (void *) spirv;
  for (uint32_t i = 0; i < constants.mapEntryCount; i++)
    entries[i] = (VkSpecializationMapEntry) { i, i * 4, 4 };
  CHECK (vkCreateShaderModule (device, &module_info, NULL, &info.stage.module));
  CHECK (vkCreateComputePipelines (device, VK_NULL_HANDLE, 1, &info, NULL, &at->pipeline));
  snprintf (at->kernel, sizeof at->kernel, "%s", step->kernel);
  memcpy (at->constants, step->constants, step->constants_bytes);
  return at->pipeline;
}

static int
record_step (void *data, const QpuStep *step)
{
  VkCommandBuffer commands = data;
  VkMemoryBarrier barrier = { IS (MEMORY_BARRIER), .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT };
  if (step->after_barrier)
    vkCmdPipelineBarrier (commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier,
        0, NULL, 0, NULL);
  vkCmdBindPipeline (commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_of (step));
  vkCmdPushConstants (commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, step->push_bytes, step->push);
  vkCmdDispatch (commands, step->groups_x, step->groups_y, step->groups_z);
  return 0;
}

/* Fills a picture's planes from those of a golden file, for a filter from one buffer to another. Returns the bytes of a buffer. */
static size_t
lay_out (const Golden *golden, QpuPicture *picture)
{
  const char *at = golden->header;
  size_t bytes = 0;
  *picture = (QpuPicture) { .planes = 3, .sub_width = 2, .sub_height = 2, .sample_bytes = 1 };
  picture->width = number (golden, &at, "width");
  picture->height = number (golden, &at, "height");
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t stride = qpu_row_words (picture, i) * 4;
    picture->plane[i] = (QpuPlane) { (uint32_t) bytes, stride, (uint32_t) bytes, stride };
    bytes += (size_t) stride * qpu_plane_height (picture, i);
  }
  if (qpu_picture_fault (picture) != NULL)
    die ("%s: %s", golden->file, qpu_picture_fault (picture));
  return bytes;
}

/* The rows of plane "in_y" or another: copied into memory (to), or compared with it. Returns how many bytes differ. */
static size_t
plane_rows (const Golden *golden, const QpuPicture *p, uint32_t plane, const char *side, const Buffer *buffer)
{
  char name[16];
  uint32_t row = qpu_row_bytes (p, plane), rows = qpu_plane_height (p, plane);
  size_t bytes = (size_t) row * rows, differences = 0;
  snprintf (name, sizeof name, "%s_%c", side, "yuv"[plane]);
  const uint8_t *samples = section (golden, name, &bytes);
  if (dmabuf_cpu (buffer->dmabuf, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW) != 0)
    die ("the CPU gets no access to a dmabuf");
  for (uint32_t y = 0; y < rows; y++, samples += row) {
    uint8_t *to = (uint8_t *) buffer->mapped + p->plane[plane].source_offset + (size_t) y * p->plane[plane].source_stride;
    if (strcmp (side, "in") == 0)
      memcpy (to, samples, row);
    for (uint32_t x = 0; x < row; x++)
      differences += to[x] != samples[x];
  }
  dmabuf_cpu (buffer->dmabuf, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW);
  return differences;
}

/* Runs a filter in one submission, and compares. Returns how many samples differ. */
static size_t
run (const Golden *golden, const QpuPicture *p, const char *name, const Buffer buffers[QPU_BINDINGS],
    int (*filter) (const QpuDevice *, const QpuPicture *, QpuRecord, void *))
{
  VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, QPU_BINDINGS };
  VkDescriptorPoolCreateInfo pool_info = { IS (DESCRIPTOR_POOL_CREATE_INFO), .maxSets = 1, .poolSizeCount = 1,
    .pPoolSizes = &size };
  VkDescriptorSetAllocateInfo set_info = { IS (DESCRIPTOR_SET_ALLOCATE_INFO), .descriptorSetCount = 1,
    .pSetLayouts = &set_layout };
  VkDescriptorSet set;
  VkCommandBufferAllocateInfo commands_info = { IS (COMMAND_BUFFER_ALLOCATE_INFO), .commandPool = commands_pool,
    .commandBufferCount = 1 };
  VkCommandBuffer commands;
  VkMemoryBarrier barrier = { IS (MEMORY_BARRIER), .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_HOST_READ_BIT };
  VkSubmitInfo submit = { IS (SUBMIT_INFO), .commandBufferCount = 1, .pCommandBuffers = &commands };
  size_t differences = 0;
  for (uint32_t i = 0; i < 3; i++)
    plane_rows (golden, p, i, "in", &buffers[0]);
  CHECK (vkCreateDescriptorPool (device, &pool_info, NULL, &set_info.descriptorPool));
  CHECK (vkAllocateDescriptorSets (device, &set_info, &set));
  for (uint32_t i = 0; i < QPU_BINDINGS; i++) {
    VkDescriptorBufferInfo info = { buffers[i].buffer, 0, VK_WHOLE_SIZE };
    VkWriteDescriptorSet write = { IS (WRITE_DESCRIPTOR_SET), .dstSet = set, .dstBinding = i, .descriptorCount = 1,
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &info };
    vkUpdateDescriptorSets (device, 1, &write, 0, NULL);
  }
  CHECK (vkAllocateCommandBuffers (device, &commands_info, &commands));
  CHECK (vkBeginCommandBuffer (commands, &(VkCommandBufferBeginInfo) { IS (COMMAND_BUFFER_BEGIN_INFO) }));
  vkCmdBindDescriptorSets (commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  filter (&traits, p, record_step, commands);
  vkCmdPipelineBarrier (commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0,
      NULL);
  CHECK (vkEndCommandBuffer (commands));
  CHECK (vkQueueSubmit (queue, 1, &submit, VK_NULL_HANDLE));
  CHECK (vkQueueWaitIdle (queue));
  for (uint32_t i = 0; i < 3; i++)
    differences += plane_rows (golden, p, i, "out", &buffers[1]);
  printf ("%s %s: %ux%u, %zu samples differ\n", name, golden->file, p->width, p->height, differences);
  return differences;
}

static size_t
deblock (const char *file)
{
  const Golden golden = open_golden (file, "\"h264_deblock_ops_picture\"");
  QpuPicture p;
  size_t bytes = lay_out (&golden, &p), ops_bytes = 0;
  const uint8_t *ops = section (&golden, "ops", &ops_bytes);
  if (qpu_deblock_fault (&p) != NULL)
    die ("%s: %s", file, qpu_deblock_fault (&p));
  Buffer buffers[QPU_BINDINGS] = { make_buffer (bytes, 1), make_buffer (bytes, 1),
    make_buffer (sizeof (QpuDeblockThresholds), 0), make_buffer (qpu_deblock_counters_bytes (&traits, &p), 0),
    make_buffer (qpu_deblock_handed_bytes (&traits, &p), 0), make_buffer (qpu_edge_map_bytes (&p), 0) };
  buffers[6] = buffers[2];
  for (const uint8_t *op = ops; op + OP_BYTES <= ops + ops_bytes; op += OP_BYTES) {
    uint32_t x = op[9] | (uint32_t) op[10] << 8, y = op[11] | (uint32_t) op[12] << 8;
    int8_t tc0[4];
    if (op[0] > 2 || x >= qpu_plane_width (&p, op[0]) || y >= qpu_plane_height (&p, op[0]))
      die ("%s has an edge outside the picture", file);
    /* These files have tC0 + 1 of chroma. */
    for (int i = 0; i < 4; i++)
      tc0[i] = (int8_t) ((int8_t) op[5 + i] - (op[0] > 0));
    qpu_set_edge ((uint32_t *) buffers[5].mapped + qpu_edge_at (&p, op[0], op[1], x, y), op[3], op[4], op[2], tc0);
  }
  return run (&golden, &p, "H.264 deblocking,", buffers, qpu_deblock);
}

static size_t
cdef (const char *file)
{
  Golden golden = open_golden (file, "\"av1_cdef_picture\"");
  QpuPicture p;
  size_t bytes = lay_out (&golden, &p), count = 0;
  const char *at = golden.header;
  uint32_t columns = qpu_blocks (p.width, 8), rows = qpu_blocks (p.height, 8);
  size_t filtered_bytes = (size_t) columns * rows,
         indexes_bytes = (size_t) qpu_blocks (p.width, 64) * qpu_blocks (p.height, 64);
  const int8_t *indexes = (const int8_t *) section (&golden, "idx64", &indexes_bytes);
  const uint8_t *filtered = section (&golden, "filtered8x8", &filtered_bytes);
  Buffer buffers[QPU_BINDINGS] = { make_buffer (bytes, 1), make_buffer (bytes, 1),
    make_buffer (sizeof (QpuCdefStrengthTable), 0), make_buffer (qpu_cdef_blocks_bytes (&p), 0),
    make_buffer (qpu_block_map_bytes (&p), 0), make_buffer (qpu_cdef_staged_bytes (&p), 0) };
  QpuCdefStrengthTable *table = buffers[2].mapped;
  uint32_t *map = buffers[4].mapped;
  buffers[6] = buffers[2];
  table->damping = number (&golden, &at, "damping");
  table->mapAt = 1;
  for (; count < 8 && strstr (at, "\"y_pri\"") != NULL; count++) {
    table->strengths[count].yPrimary = number (&golden, &at, "y_pri");
    table->strengths[count].ySecondary = number (&golden, &at, "y_sec");
    table->strengths[count].uvPrimary = number (&golden, &at, "uv_pri");
    table->strengths[count].uvSecondary = number (&golden, &at, "uv_sec");
  }
  for (uint32_t i = 0; i < columns * rows; i++) {
    int index = indexes[i / columns / 8 * qpu_blocks (p.width, 64) + i % columns / 8];
    if (index >= (int) count)
      die ("%s has a block of a strength that is not there", file);
    map[i] = filtered[i] && index >= 0 ? (uint32_t) index + 1 : 0;
  }
  return run (&golden, &p, "AV1 CDEF,", buffers, qpu_cdef);
}

int
main (int argc, char **argv)
{
  if (argc < 4 || argc > 5) {
    fputs ("usage: qpu-kernels-example KERNELS_FOLDER H264.gvp AV1.gvp [DEVICE]\n", stderr);
    return 2;
  }
  kernels_folder = argv[1];
  open_device (argc == 5 ? (uint32_t) atoi (argv[4]) : 0);
  return deblock (argv[2]) + cdef (argv[3]) == 0 ? 0 : 1;
}
