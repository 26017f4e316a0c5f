package org.buftrail.junit.described.inner;

/** In a package below an annotated one. */
public final class Some {
  private Some() {}
}
