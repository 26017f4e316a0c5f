package org.buftrail.console.output;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.buftrail.console.input.ReadFlows;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.output.ProfileFormat;

/** Keeps what {@code check} refuses out of files: profiles of others may say anything. */
public final class Conformity {
  private Conformity() {}

  /**
   * Refuses what would become OTLP that breaks the specification. Takes the memory of a message.
   *
   * @param input what the user calls it
   * @throws CommandFailure naming what is wrong first
   */
  public static void refuse(Path input, ReadProfiles read, ProfileFormat as)
      throws IOException, CommandFailure {
    boolean isOtlp = as == ProfileFormat.OTLP || as == ProfileFormat.OTLP_JSON;
    boolean isJson = as == ProfileFormat.JSON && !(read instanceof ReadFlows);
    if (!isOtlp && !isJson) {
      return;
    }
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    new OtlpWriter().write(read.profiles(), message);
    Conformance.Result result = Conformance.check(new ByteArrayInputStream(message.toByteArray()));
    if (!result.isConformant()) {
      long more = result.count() - 1;
      throw new CommandFailure(
          input
              + ": cannot become OTLP that follows the specification: "
              + result.violations().get(0)
              + (more == 0 ? "" : " (and " + more + " more)"));
    }
  }
}
