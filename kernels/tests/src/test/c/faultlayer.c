/*
 * A Vulkan layer for tests. It makes calls fail that succeed on the devices that tests run on: a test names a call and a
 * result, and the next calls of that name return that result, once or several times. A test may also name the call by its number:
 * the n-th call from now on, whatever its name. That call returns one of the results that the specification lists for it; or its
 * device is lost from then on, for good. The layer also counts the calls that it can make fail.
 *
 * A test looks the fault_layer_ functions up in the library that the Vulkan loader has loaded. Any thread may call them.
 *
 * A test may also let submissions get lost, as on a device that hangs; and it may let devices that run on the CPU pass for GPUs.
 *
 * Only calls that can fail go through this layer: those of faultcalls.h, vkCreateInstance and vkCreateDevice; and those that tell
 * the type of a device. The loader makes all other calls in the next layer, such as those that record commands.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

/* Instances and devices that may live at the same time. */
#define MAX_CHAINS 64

enum level
{
  INSTANCE_LEVEL,
  DEVICE_LEVEL
};

enum when
{
  INSTEAD,
  AFTERWARDS
};

enum call
{
#define CALL(level, when, name, handle, parameters, arguments, fills, results) \
  CALL_##name,
#include "faultcalls.h"
#undef CALL
  LISTED_CALLS,
  CALL_CreateInstance = LISTED_CALLS,
  CALL_CreateDevice,
  CALLS
};

static const char *const call_names[CALLS] = {
#define CALL(level, when, name, handle, parameters, arguments, fills, results) \
  "vk" #name,
#include "faultcalls.h"
#undef CALL
  "vkCreateInstance",
  "vkCreateDevice",
};

/* How a call may fail, up to a VK_SUCCESS. */
#define LIST(...) \
  (const VkResult[]) \
  { \
    __VA_ARGS__, VK_SUCCESS \
  }
static const VkResult *const call_results[CALLS] = {
#define CALL(level, when, name, handle, parameters, arguments, fills, results) \
  LIST results,
#include "faultcalls.h"
#undef CALL
  /* Those of vkCreateInstance. */
  LIST (NO_MEMORY, VK_ERROR_INITIALIZATION_FAILED, VK_ERROR_LAYER_NOT_PRESENT,
      VK_ERROR_EXTENSION_NOT_PRESENT, VK_ERROR_INCOMPATIBLE_DRIVER),
  /* Those of vkCreateDevice. */
  LIST (NO_MEMORY, VK_ERROR_INITIALIZATION_FAILED,
      VK_ERROR_EXTENSION_NOT_PRESENT, VK_ERROR_FEATURE_NOT_PRESENT,
      VK_ERROR_TOO_MANY_OBJECTS, VK_ERROR_DEVICE_LOST),
};

static const enum level call_levels[LISTED_CALLS] = {
#define CALL(level, when, name, handle, parameters, arguments, fills, results) \
  level,
#include "faultcalls.h"
#undef CALL
};

/* One instance or one device, and the functions that the next layer has for it. */
struct chain
{
  /* What find_chain looks for, see key_of; NULL while the place is free, &claimed while it is filled. */
  _Atomic (const void *) key;
  /* VK_NULL_HANDLE for a device. */
  VkInstance instance;
  /* VK_NULL_HANDLE for an instance. */
  VkDevice device;
  /* True for a device that is lost for good. */
  atomic_bool is_lost;
  /* Of the next layer; NULL for a device. */
  PFN_vkGetInstanceProcAddr get_instance;
  /* Of the next layer; NULL for a device. Taken when the instance is made: later, the loader answers for its own end of the chain
   * with the chain's beginning. */
  PFN_vkDestroyInstance destroy_instance;
  /* Of the next layer; NULL for an instance. */
  PFN_vkGetDeviceProcAddr get_device;
  /* Of the next layer; NULL for calls of the other level, and for those that it does not have. */
  PFN_vkVoidFunction next[LISTED_CALLS];
  /* Of the next layer; NULL for a device. */
  PFN_vkGetPhysicalDeviceProperties get_properties;
  PFN_vkGetPhysicalDeviceProperties2 get_properties_2;
};

static struct chain chains[MAX_CHAINS];
static const char claimed;

static atomic_uint_fast64_t counts[CALLS];

/* The call that is to fail next, its result, and how often it is to fail without being made, in one word, so that all change at
 * once; 0 where none is to fail. */
static atomic_uint_fast64_t armed;

/* How many calls are made until one of them fails, that call included; 0 where none is to fail by its number. */
static atomic_int_fast64_t until_failure;
/* Which of the results that are listed for that call it returns, where they are counted over and over; or LOSE_DEVICE. */
static atomic_int numbered_index;
/* The call's device is lost for good; or, if the call belongs to no device, that of the next call that belongs to one. */
#define LOSE_DEVICE (-1)
/* True from the call of that number to the loss of a device. */
static atomic_bool loses_next;
/* Its name, for the test; -1 until it has failed. */
static atomic_int numbered_call = -1;

static uint_fast64_t
armed_word (enum call call, VkResult result, unsigned times)
{
  return (uint_fast64_t) times << 48 | ((uint_fast64_t) call + 1) << 32
      | (uint32_t) result;
}

static enum call
armed_call (uint_fast64_t word)
{
  return (enum call) ((word >> 32 & 0xffff) - 1);
}

static unsigned
armed_times (uint_fast64_t word)
{
  return (unsigned) (word >> 48);
}

/* How many of the next submissions of work get lost on their way to the device: their calls succeed, and their fences are never
 * signalled, as on a device that hangs. */
static atomic_int submits_to_drop;

/* True for a submission that gets lost. */
static int
drops_submit (enum call call)
{
  int left = atomic_load (&submits_to_drop);

  while (call == CALL_QueueSubmit && left > 0) {
    if (atomic_compare_exchange_strong (&submits_to_drop, &left, left - 1)) {
      return 1;
    }
  }
  return 0;
}

static int
count_results (enum call call)
{
  int count = 0;

  while (call_results[call][count] != VK_SUCCESS) {
    count++;
  }
  return count;
}

/* What the call is to return that fails by its number; VK_SUCCESS where it is to be made, or a device is to be lost with it. */
static VkResult
fail_numbered (enum call call)
{
  int index = atomic_load (&numbered_index);

  atomic_store (&numbered_call, (int) call);
  if (index == LOSE_DEVICE) {
    atomic_store (&loses_next, true);
    return VK_SUCCESS;
  }
  return call_results[call][index % count_results (call)];
}

/* True for a call of a device that is lost. */
static bool
is_lost (struct chain *chain)
{
  if (chain == NULL || chain->device == VK_NULL_HANDLE) {
    return false;
  }
  if (atomic_load (&loses_next) && atomic_exchange (&loses_next, false)) {
    atomic_store (&chain->is_lost, true);
  }
  return atomic_load (&chain->is_lost);
}

/* Counts a call of that instance or device. Returns what it is to return without being made; VK_SUCCESS where it is to be made. */
static VkResult
count_call (enum call call, struct chain *chain)
{
  uint_fast64_t word = atomic_load (&armed);

  atomic_fetch_add_explicit (&counts[call], 1, memory_order_relaxed);
  if (atomic_load (&until_failure) > 0
      && atomic_fetch_sub (&until_failure, 1) == 1) {
    VkResult result = fail_numbered (call);

    if (result != VK_SUCCESS) {
      return result;
    }
  }
  if (is_lost (chain)) {
    return VK_ERROR_DEVICE_LOST;
  }
  while (word != 0 && armed_call (word) == call && armed_times (word) > 0) {
    VkResult result = (VkResult) (uint32_t) word;
    unsigned left = armed_times (word) - 1;

    if (atomic_compare_exchange_strong (&armed, &word,
            left == 0 ? 0 : armed_word (call, result, left))) {
      return result;
    }
  }
  return VK_SUCCESS;
}

/* What the call is to return in place of what it would; VK_SUCCESS where it is not to fail. It fails once. */
static VkResult
take_failure (enum call call)
{
  uint_fast64_t word = atomic_load (&armed);

  if (word == 0 || armed_call (word) != call || armed_times (word) > 0
      || !atomic_compare_exchange_strong (&armed, &word, 0)) {
    return VK_SUCCESS;
  }
  return (VkResult) (uint32_t) word;
}

/* Handles begin with a pointer to the loader's dispatch table. An instance and its physical devices have one table. A device, its
 * queues and its command buffers have one table. */
static const void *
key_of (const void *handle)
{
  return *(const void *const *) handle;
}

static struct chain *
find_chain (const void *handle)
{
  const void *key = key_of (handle);

  for (int i = 0; i < MAX_CHAINS; i++) {
    if (atomic_load_explicit (&chains[i].key, memory_order_acquire) == key) {
      return &chains[i];
    }
  }
  return NULL;
}

/* A place that nobody else finds until its key is set; NULL where none is free. */
static struct chain *
claim_chain (void)
{
  for (int i = 0; i < MAX_CHAINS; i++) {
    const void *expected = NULL;

    if (atomic_compare_exchange_strong (&chains[i].key, &expected, &claimed)) {
      return &chains[i];
    }
  }
  return NULL;
}

static void
publish_chain (struct chain *chain, const void *handle)
{
  atomic_store_explicit (&chain->key, key_of (handle), memory_order_release);
}

static void
free_chain (struct chain *chain)
{
  atomic_store_explicit (&chain->key, NULL, memory_order_release);
}

/* The call of that name, also of that name with KHR; CALLS where the layer has none such. */
static enum call
find_call (const char *name)
{
  for (int call = 0; call < CALLS; call++) {
    size_t length = strlen (call_names[call]);

    if (strncmp (name, call_names[call], length) == 0
        && (name[length] == '\0' || strcmp (name + length, "KHR") == 0)) {
      return (enum call) call;
    }
  }
  return CALLS;
}

/* What a call returns that is to return VK_INCOMPLETE, and was made: that only if it was given an array, which it has filled. */
static VkResult
incomplete (VkResult result, const void *filled)
{
  return result == VK_SUCCESS && filled != NULL ? VK_INCOMPLETE : result;
}

/* A device that is lost runs no work any more, and nobody waits for it: what the driver below still runs ends first. */
static VkResult
lost_when_idle (const struct chain *chain, VkResult result)
{
  if (result == VK_ERROR_DEVICE_LOST && chain->device != VK_NULL_HANDLE) {
    ((PFN_vkDeviceWaitIdle) chain->next[CALL_DeviceWaitIdle]) (chain->device);
  }
  return result;
}

/* One function for each call of the list. */
#define CALL(level, when, name, handle, parameters, arguments, fills, results) \
  static VKAPI_ATTR VkResult VKAPI_CALL layer_##name parameters \
  { \
    struct chain *chain = find_chain (handle); \
    VkResult result = count_call (CALL_##name, chain); \
\
    if (chain == NULL) { \
      return VK_ERROR_UNKNOWN; \
    } \
    if (result == VK_SUCCESS && when == INSTEAD) { \
      result = take_failure (CALL_##name); \
    } \
    if (result == VK_INCOMPLETE) { \
      return incomplete (((PFN_vk##name) chain->next[CALL_##name]) arguments, \
          fills); \
    } \
    if (result == VK_SUCCESS && drops_submit (CALL_##name)) { \
      return VK_SUCCESS; \
    } \
    if (result == VK_SUCCESS) { \
      result = ((PFN_vk##name) chain->next[CALL_##name]) arguments; \
      if (when == AFTERWARDS && result == VK_SUCCESS) { \
        result = take_failure (CALL_##name); \
      } \
    } \
    return lost_when_idle (chain, result); \
  }
#include "faultcalls.h"
#undef CALL

static const PFN_vkVoidFunction layer_calls[LISTED_CALLS] = {
#define CALL(level, when, name, handle, parameters, arguments, fills, results) \
  (PFN_vkVoidFunction) layer_##name,
#include "faultcalls.h"
#undef CALL
};

/* The loader puts the links of all layers into the info, so that each layer finds the next one; NULL where it did not. */
static VkLayerInstanceCreateInfo *
find_instance_link (const VkInstanceCreateInfo *info)
{
  const VkLayerInstanceCreateInfo *link = info->pNext;

  while (link != NULL
      && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO
          || link->function != VK_LAYER_LINK_INFO)) {
    link = link->pNext;
  }
  return (VkLayerInstanceCreateInfo *) link;
}

static VkLayerDeviceCreateInfo *
find_device_link (const VkDeviceCreateInfo *info)
{
  const VkLayerDeviceCreateInfo *link = info->pNext;

  while (link != NULL
      && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO
          || link->function != VK_LAYER_LINK_INFO)) {
    link = link->pNext;
  }
  return (VkLayerDeviceCreateInfo *) link;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_CreateInstance (const VkInstanceCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkInstance *instance)
{
  VkLayerInstanceCreateInfo *link = find_instance_link (info);
  VkResult result = count_call (CALL_CreateInstance, NULL);
  PFN_vkGetInstanceProcAddr get_instance;
  PFN_vkCreateInstance create;
  struct chain *chain;

  if (result == VK_SUCCESS) {
    result = take_failure (CALL_CreateInstance);
  }
  if (result != VK_SUCCESS) {
    return result;
  }
  chain = link != NULL ? claim_chain () : NULL;
  if (chain == NULL) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  create =
      (PFN_vkCreateInstance) get_instance (VK_NULL_HANDLE, "vkCreateInstance");
  /* The next layer takes the first link for its own. */
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  result = create (info, allocator, instance);
  if (result != VK_SUCCESS) {
    free_chain (chain);
    return result;
  }
  chain->instance = *instance;
  chain->device = VK_NULL_HANDLE;
  chain->get_instance = get_instance;
  chain->destroy_instance =
      (PFN_vkDestroyInstance) get_instance (*instance, "vkDestroyInstance");
  chain->get_device = NULL;
  for (int call = 0; call < LISTED_CALLS; call++) {
    chain->next[call] = call_levels[call] == INSTANCE_LEVEL
        ? get_instance (*instance, call_names[call])
        : NULL;
  }
  chain->get_properties = (PFN_vkGetPhysicalDeviceProperties) get_instance (
      *instance, "vkGetPhysicalDeviceProperties");
  chain->get_properties_2 = (PFN_vkGetPhysicalDeviceProperties2) get_instance (
      *instance, "vkGetPhysicalDeviceProperties2");
  publish_chain (chain, *instance);
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
layer_DestroyInstance (VkInstance instance,
    const VkAllocationCallbacks *allocator)
{
  struct chain *chain =
      instance != VK_NULL_HANDLE ? find_chain (instance) : NULL;
  PFN_vkDestroyInstance destroy;

  if (chain == NULL) {
    return;
  }
  destroy = chain->destroy_instance;
  /* Before the loader may give the same key to another instance. */
  free_chain (chain);
  destroy (instance, allocator);
}

/* Devices that run on the CPU pass for GPUs where the environment has this variable. */
#define PASS_FOR_GPU "GSTQPU_FAULTS_PASS_FOR_GPU"

static void
pass_for_gpu (VkPhysicalDeviceProperties *properties)
{
  if (properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU
      && getenv (PASS_FOR_GPU) != NULL) {
    properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  }
}

static VKAPI_ATTR void VKAPI_CALL
layer_GetPhysicalDeviceProperties (VkPhysicalDevice device,
    VkPhysicalDeviceProperties *properties)
{
  struct chain *chain = find_chain (device);

  if (chain != NULL) {
    chain->get_properties (device, properties);
    pass_for_gpu (properties);
  }
}

static VKAPI_ATTR void VKAPI_CALL
layer_GetPhysicalDeviceProperties2 (VkPhysicalDevice device,
    VkPhysicalDeviceProperties2 *properties)
{
  struct chain *chain = find_chain (device);

  if (chain != NULL) {
    chain->get_properties_2 (device, properties);
    pass_for_gpu (&properties->properties);
  }
}

static PFN_vkVoidFunction
next_device_call (PFN_vkGetDeviceProcAddr get_device, VkDevice device,
    enum call call)
{
  PFN_vkVoidFunction next = get_device (device, call_names[call]);

  if (next == NULL) {
    char name[128];
    size_t length = strlen (call_names[call]);

    /* A device older than the call has it as an extension, or not at all. */
    if (length + sizeof "KHR" <= sizeof name) {
      memcpy (name, call_names[call], length);
      memcpy (name + length, "KHR", sizeof "KHR");
      next = get_device (device, name);
    }
  }
  return next;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_CreateDevice (VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDevice *device)
{
  struct chain *instance = find_chain (physical);
  VkLayerDeviceCreateInfo *link = find_device_link (info);
  VkResult result = count_call (CALL_CreateDevice, NULL);
  PFN_vkGetDeviceProcAddr get_device;
  PFN_vkCreateDevice create;
  struct chain *chain;

  if (result == VK_SUCCESS) {
    result = take_failure (CALL_CreateDevice);
  }
  if (result != VK_SUCCESS) {
    return result;
  }
  chain = instance != NULL && link != NULL ? claim_chain () : NULL;
  if (chain == NULL) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  get_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  create = (PFN_vkCreateDevice) instance->get_instance (instance->instance,
      "vkCreateDevice");
  /* The next layer takes the first link for its own. */
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  result = create (physical, info, allocator, device);
  if (result != VK_SUCCESS) {
    free_chain (chain);
    return result;
  }
  chain->instance = VK_NULL_HANDLE;
  chain->device = *device;
  atomic_store (&chain->is_lost, false);
  chain->get_instance = NULL;
  chain->destroy_instance = NULL;
  chain->get_device = get_device;
  for (int call = 0; call < LISTED_CALLS; call++) {
    chain->next[call] = call_levels[call] == DEVICE_LEVEL
        ? next_device_call (get_device, *device, (enum call) call)
        : NULL;
  }
  publish_chain (chain, *device);
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
layer_DestroyDevice (VkDevice device, const VkAllocationCallbacks *allocator)
{
  struct chain *chain = device != VK_NULL_HANDLE ? find_chain (device) : NULL;
  PFN_vkDestroyDevice destroy;

  if (chain == NULL) {
    return;
  }
  destroy = (PFN_vkDestroyDevice) chain->get_device (device, "vkDestroyDevice");
  free_chain (chain);
  destroy (device, allocator);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr (
    VkDevice device, const char *name);

/* This layer's form of a call of a device, or of a listed call; "next" where it has none. */
static PFN_vkVoidFunction
call_of_device (const char *name, PFN_vkVoidFunction next)
{
  enum call call;

  if (strcmp (name, "vkGetDeviceProcAddr") == 0) {
    return (PFN_vkVoidFunction) layer_GetDeviceProcAddr;
  }
  if (strcmp (name, "vkDestroyDevice") == 0) {
    return (PFN_vkVoidFunction) layer_DestroyDevice;
  }
  call = find_call (name);
  return call < LISTED_CALLS ? layer_calls[call] : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
layer_GetInstanceProcAddr (VkInstance instance, const char *name)
{
  struct chain *chain;
  PFN_vkVoidFunction next;

  /* Also asked for before there is an instance. */
  if (strcmp (name, "vkGetInstanceProcAddr") == 0) {
    return (PFN_vkVoidFunction) layer_GetInstanceProcAddr;
  }
  if (strcmp (name, "vkCreateInstance") == 0) {
    return (PFN_vkVoidFunction) layer_CreateInstance;
  }
  chain = instance != VK_NULL_HANDLE ? find_chain (instance) : NULL;
  if (chain == NULL) {
    return NULL;
  }
  /* What the next layer has not, this one has not either. */
  next = chain->get_instance (instance, name);
  if (next == NULL) {
    return NULL;
  }
  if (strcmp (name, "vkCreateDevice") == 0) {
    return (PFN_vkVoidFunction) layer_CreateDevice;
  }
  if (strcmp (name, "vkGetPhysicalDeviceProperties") == 0) {
    return (PFN_vkVoidFunction) layer_GetPhysicalDeviceProperties;
  }
  if (strcmp (name, "vkGetPhysicalDeviceProperties2") == 0) {
    return (PFN_vkVoidFunction) layer_GetPhysicalDeviceProperties2;
  }
  if (strcmp (name, "vkDestroyInstance") == 0) {
    return (PFN_vkVoidFunction) layer_DestroyInstance;
  }
  return call_of_device (name, next);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
layer_GetDeviceProcAddr (VkDevice device, const char *name)
{
  struct chain *chain = device != VK_NULL_HANDLE ? find_chain (device) : NULL;
  PFN_vkVoidFunction next;

  if (chain == NULL) {
    return NULL;
  }
  next = chain->get_device (device, name);
  if (next == NULL) {
    return NULL;
  }
  return call_of_device (name, next);
}

VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion (VkNegotiateLayerInterface *interface)
{
  if (interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT
      || interface->loaderLayerInterfaceVersion
          < CURRENT_LOADER_LAYER_INTERFACE_VERSION) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  interface->loaderLayerInterfaceVersion =
      CURRENT_LOADER_LAYER_INTERFACE_VERSION;
  interface->pfnGetInstanceProcAddr = layer_GetInstanceProcAddr;
  interface->pfnGetDeviceProcAddr = layer_GetDeviceProcAddr;
  /* No call of the list belongs to an extension that the loader does not know. */
  interface->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}

/* Lets the next call of that name return that result, in place of the call that was named before. Returns 1, or 0 where the layer
 * does not know the call, or the result is none of a failure. */
VK_LAYER_EXPORT int
fault_layer_arm (const char *name, VkResult result)
{
  enum call call = find_call (name);

  if (call == CALLS || result == VK_SUCCESS) {
    return 0;
  }
  atomic_store (&armed, armed_word (call, result, 0));
  return 1;
}

/* Lets the next calls of that name, so many as times says, return that result without being made, those that wait or poll too.
 * Returns what fault_layer_arm returns. */
VK_LAYER_EXPORT int
fault_layer_arm_unmade (const char *name, VkResult result, int times)
{
  enum call call = find_call (name);

  if (call == CALLS || result == VK_SUCCESS || times < 1 || times > 0xffff) {
    return 0;
  }
  atomic_store (&armed, armed_word (call, result, (unsigned) times));
  return 1;
}

/* Lets the next submissions of work get lost on their way to the device, so many as times says: as on a device that hangs. */
VK_LAYER_EXPORT void
fault_layer_drop_submits (int times)
{
  atomic_store (&submits_to_drop, times);
}

/* Returns how many of them are still to come. */
VK_LAYER_EXPORT int
fault_layer_submits_to_drop (void)
{
  return atomic_load (&submits_to_drop);
}

/* Returns how many instances and devices there are. */
VK_LAYER_EXPORT int
fault_layer_alive (void)
{
  int alive = 0;

  for (int i = 0; i < MAX_CHAINS; i++) {
    alive += atomic_load (&chains[i].key) != NULL;
  }
  return alive;
}

static void
arm_number (int number, int index)
{
  atomic_store (&numbered_call, -1);
  atomic_store (&loses_next, false);
  atomic_store (&numbered_index, index);
  atomic_store (&until_failure, number);
}

/* Lets the call of that number, counted from 1 for the next call of any name, return one of the results that the specification lists
 * for it: the one with that index, from 0, counted over and over. It is not made; with VK_INCOMPLETE it is. */
VK_LAYER_EXPORT void
fault_layer_arm_listed (int number, int index)
{
  arm_number (number, index);
}

/* Lets the device of the call of that number be lost, for good: that call, and each later one of the device, waits until the device
 * is idle, and returns VK_ERROR_DEVICE_LOST without being made. If the call belongs to no device, it is made, and the next device
 * that is called is lost. */
VK_LAYER_EXPORT void
fault_layer_lose_device (int number)
{
  arm_number (number, LOSE_DEVICE);
}

/* The result with that index, from 0, of those that the specification lists for a call; VK_SUCCESS where it lists no more, or where the
 * layer does not know the call. */
VK_LAYER_EXPORT VkResult
fault_layer_listed (const char *name, int index)
{
  enum call call = find_call (name);

  return call == CALLS || index < 0 || index >= count_results (call)
      ? VK_SUCCESS
      : call_results[call][index];
}

/* The name of the call that failed by its number; NULL where none has yet. */
VK_LAYER_EXPORT const char *
fault_layer_numbered (void)
{
  int call = atomic_load (&numbered_call);

  return call < 0 ? NULL : call_names[call];
}

/* Lets no call fail any more. Returns 1 where the call that was named had not failed yet. */
VK_LAYER_EXPORT int
fault_layer_disarm (void)
{
  atomic_store (&until_failure, 0);
  atomic_store (&loses_next, false);
  atomic_store (&submits_to_drop, 0);
  return atomic_exchange (&armed, 0) != 0;
}

/* Returns how often a call was made since the library was loaded, failures included; -1 where the layer does not know it. */
VK_LAYER_EXPORT int64_t
fault_layer_count (const char *name)
{
  enum call call = find_call (name);

  return call == CALLS
      ? -1
      : (int64_t) atomic_load_explicit (&counts[call], memory_order_relaxed);
}

/* Returns the sum of the counts of all calls. */
VK_LAYER_EXPORT int64_t
fault_layer_total (void)
{
  uint_fast64_t total = 0;

  for (int call = 0; call < CALLS; call++) {
    total += atomic_load_explicit (&counts[call], memory_order_relaxed);
  }
  return (int64_t) total;
}
