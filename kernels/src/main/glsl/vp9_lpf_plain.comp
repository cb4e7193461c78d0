#version 450
#extension GL_GOOGLE_include_directive : require
#define PLAIN_EXCHANGE
#include "vp9_lpf.glsl"
