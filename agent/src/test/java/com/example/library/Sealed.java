package com.example.library;

import io.netty.buffer.ByteBuf;

/** A library's wrapper of one buffer. */
public record Sealed(ByteBuf body) {}
