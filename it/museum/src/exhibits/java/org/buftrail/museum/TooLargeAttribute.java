// ISSUE netty/netty#11621
// DEPS io.netty:netty-codec-http:4.1.67.Final
// REPAIRED 4.1.68.Final
// CULPRIT io.netty.handler.codec.http.multipart.MemoryAttribute.addContent
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.multipart.MemoryAttribute;
import java.io.IOException;

/** An attribute that would grow too large throws, and keeps the piece that it refused. */
final class TooLargeAttribute {
  public static void main(String[] args) throws Exception {
    Visits.run(TooLargeAttribute::add);
  }

  private static void add(boolean large) {
    MemoryAttribute attribute = new MemoryAttribute("name");
    attribute.setMaxSize(large ? 4 : 64);
    try {
      attribute.addContent(PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1), true);
    } catch (IOException expected) {
      // Answered with 413.
    }
    attribute.delete();
  }
}
