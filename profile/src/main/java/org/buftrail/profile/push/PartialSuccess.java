package org.buftrail.profile.push;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.buftrail.profile.protobuf.ProtobufDecoder;

/** What a receiver says that it did not take: {@code ExportProfilesServiceResponse}. */
final class PartialSuccess {
  private static final int PARTIAL_SUCCESS = 1;
  private static final int REJECTED_PROFILES = 1;
  private static final int ERROR_MESSAGE = 2;

  private PartialSuccess() {}

  /** One line; empty when all was taken, or the answer is none of this kind. */
  static String describe(byte[] answer) {
    try {
      return read(new ProtobufDecoder(new ByteArrayInputStream(answer)));
    } catch (IOException e) {
      return "";
    }
  }

  private static String read(ProtobufDecoder in) throws IOException {
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
    return rejected == 0 && message.isEmpty()
        ? ""
        : "the receiver rejected "
            + rejected
            + " profiles: "
            + message.replaceAll("\\p{Cntrl}", " ");
  }
}
