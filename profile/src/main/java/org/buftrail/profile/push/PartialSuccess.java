package org.buftrail.profile.push;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.buftrail.profile.protobuf.ProtobufDecoder;

/**
 * What a receiver says of a request that it took: {@code ExportProfilesServiceResponse}. Nothing
 * rejected and a message is full success with a warning, as the OTLP specification says. Immutable.
 */
final class PartialSuccess {
  private static final int PARTIAL_SUCCESS = 1;
  private static final int REJECTED_PROFILES = 1;
  private static final int ERROR_MESSAGE = 2;

  private final long rejected;
  private final String message;

  private PartialSuccess(long rejected, String message) {
    this.rejected = rejected;
    this.message = OneLine.of(message);
  }

  /** Reads it; it says nothing when the answer is none of this kind. */
  static PartialSuccess read(byte[] answer) {
    try {
      return read(new ProtobufDecoder(new ByteArrayInputStream(answer)));
    } catch (IOException e) {
      return new PartialSuccess(0, "");
    }
  }

  private static PartialSuccess read(ProtobufDecoder in) throws IOException {
    long rejected = 0;
    String message = "";
    for (int field = in.readField(); field > 0; field = in.readField()) {
      if (field != PARTIAL_SUCCESS) {
        in.skipField();
        continue;
      }
      long outer = in.enter();
      for (int inner = in.readField(); inner > 0; inner = in.readField()) {
        if (inner == REJECTED_PROFILES) {
          rejected = in.readVarint();
        } else if (inner == ERROR_MESSAGE) {
          message = new String(in.readBytes(), StandardCharsets.UTF_8);
        } else {
          in.skipField();
        }
      }
      in.leave(outer);
    }
    return new PartialSuccess(rejected, message);
  }

  /** The rejected part, in one line; empty if all was kept. */
  String rejection() {
    return rejected <= 0
        ? ""
        : "the receiver rejected "
            + rejected
            + (rejected == 1 ? " profile" : " profiles")
            + (message.isEmpty() ? "" : ": " + message);
  }

  /** The warning of a receiver that kept everything, in one line; empty if there is none. */
  String warning() {
    return rejected > 0 || message.isEmpty() ? "" : "the receiver warns: " + message;
  }
}
