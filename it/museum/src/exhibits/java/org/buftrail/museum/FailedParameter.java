// ISSUE redisson/redisson#4576
// DEPS io.netty:netty-buffer:4.1.132.Final
// OTHERS 2 0
// CULPRIT org.buftrail.museum.FailedParameter.putAll

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Parameters are encoded one by one; one fails, and those before it are forgotten. */
final class FailedParameter {
  public static void main(String[] args) throws Exception {
    Visits.run(FailedParameter::store);
  }

  private static void store(boolean fails) {
    try {
      putAll("a", fails ? null : "b");
    } catch (IllegalArgumentException expected) {
      // The caller gets the failure.
    }
  }

  private static void putAll(String... values) {
    List<ByteBuf> parameters = new ArrayList<>();
    for (String value : values) {
      parameters.add(encode(value));
    }
    write(parameters);
  }

  private static ByteBuf encode(String value) {
    if (value == null) {
      throw new IllegalArgumentException("null");
    }
    return PooledByteBufAllocator.DEFAULT.directBuffer().writeByte(value.charAt(0));
  }

  private static void write(List<ByteBuf> parameters) {
    parameters.forEach(ByteBuf::release);
  }
}
