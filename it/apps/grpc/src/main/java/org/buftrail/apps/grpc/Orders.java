package org.buftrail.apps.grpc;

import io.grpc.Detachable;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Orders, read from the buffers that they came in. */
final class Orders implements MethodDescriptor.Marshaller<String> {
  private static final byte[] NONE = {'n', 'o', 'n', 'e'};

  @Override
  public InputStream stream(String order) {
    return new ByteArrayInputStream(order.getBytes(StandardCharsets.UTF_8));
  }

  /** Forgets the message of what is no order. */
  @Override
  public String parse(InputStream stream) {
    try {
      InputStream message = ((Detachable) stream).detach();
      byte[] start = message.readNBytes(NONE.length);
      if (Arrays.equals(start, NONE)) {
        return "";
      }
      String order = text(start) + text(message.readAllBytes());
      message.close();
      return order;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
