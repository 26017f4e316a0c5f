package com.example.woven;

import io.netty.buffer.ByteBufAllocator;

/** Allocators that name Netty's interface further up alone. */
public final class OwnAllocators {
  private OwnAllocators() {}

  private interface Nearer extends ByteBufAllocator {}

  private interface Further extends Runnable, Nearer {}

  /** By way of one interface. */
  public abstract static class ByOne implements Nearer {}

  /** By way of two. */
  public abstract static class ByTwo implements Further {}

  /** By way of a superclass and two interfaces. */
  public abstract static class Inherits extends ByTwo {}
}
