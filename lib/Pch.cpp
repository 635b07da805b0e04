//===- Pch.cpp - Carries the precompiled header of all rooms --------------===//
