package org.buftrail.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;

/** Whatever the bytes, what a recording is converted to conforms. The last byte selects options. */
public final class ConverterTarget {
  private ConverterTarget() {}

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    int choice = bytes.length == 0 ? 0 : bytes[bytes.length - 1];
    Options options =
        Options.DEFAULT
            .timestamps((choice & 1) != 0)
            .threads((choice & 2) != 0)
            .bytecodeIndex((choice & 4) != 0)
            .normalized((choice & 8) != 0);
    try {
      Conversion conversion = Recording.of(Scratch.of(bytes)).convert(options);
      if (!conversion.profiles().profiles().isEmpty()) {
        check(new OtlpWriter().toByteArray(conversion.profiles()));
      }
    } catch (RecordingException e) {
      if (String.valueOf(e.getMessage()).indexOf('\n') >= 0) {
        throw new IllegalStateException("more than one line", e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(byte[] message) throws IOException {
    Conformance.Result result = Conformance.check(new ByteArrayInputStream(message));
    if (!result.violations().isEmpty()) {
      throw new IllegalStateException(result.violations().get(0).toString());
    }
  }
}
