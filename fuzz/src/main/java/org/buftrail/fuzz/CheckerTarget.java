package org.buftrail.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.protobuf.MalformedMessageException;

/** Whatever the bytes, the checker ends; and what it passes can be read and written again. */
public final class CheckerTarget {
  private CheckerTarget() {}

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    try {
      boolean conformant = Conformance.check(new ByteArrayInputStream(bytes)).isConformant();
      List<Profiles> all = read(bytes, conformant);
      for (Profiles profiles : all) {
        new OtlpWriter().toByteArray(profiles);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Profiles> read(byte[] bytes, boolean conformant) throws IOException {
    try {
      return OtlpReader.read(new ByteArrayInputStream(bytes));
    } catch (MalformedMessageException e) {
      if (conformant) {
        throw new IllegalStateException("passed, and cannot be read", e);
      }
      return List.of();
    }
  }
}
