package org.buftrail.profile.push;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.buftrail.profile.protobuf.ProtobufDecoder;
import org.jspecify.annotations.Nullable;

/** Why a receiver refuses a request, as the body of its answer says. */
final class Refusal {
  /** {@code google.rpc.Status.message}. */
  private static final int STATUS_MESSAGE = 2;

  private Refusal() {}

  /**
   * One line; empty if the body says nothing that can be read.
   *
   * @param contentType as the header says it; null if there is none
   * @param body what came of it
   */
  static String describe(@Nullable String contentType, byte[] body) {
    String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    if (type.contains("protobuf")) {
      return OneLine.of(message(body));
    }
    String text = new String(body, StandardCharsets.UTF_8);
    if (type.startsWith("text/html")) {
      return OneLine.of(text.replaceAll("<[^>]*>", " "));
    }
    boolean readable = type.isEmpty() || type.startsWith("text/") || type.contains("json");
    return readable ? OneLine.of(text) : "";
  }

  private static String message(byte[] body) {
    ProtobufDecoder in = new ProtobufDecoder(new ByteArrayInputStream(body));
    String message = "";
    try {
      for (int field = in.readField(); field > 0; field = in.readField()) {
        if (field == STATUS_MESSAGE) {
          message = new String(in.readBytes(), StandardCharsets.UTF_8);
        } else {
          in.skipField();
        }
      }
    } catch (IOException e) {
      // What came before it is told.
    }
    return message;
  }
}
