package org.buftrail.fuzz;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.InputStart;
import org.buftrail.profile.input.ProfileForm;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriters;

/** What is taken for a form of profiles is read and written in every format, or is one line. */
public final class FormTarget {
  private FormTarget() {}

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    Path file = Scratch.of(bytes);
    try {
      InputStart start = InputStart.of(file);
      for (ProfileForm form : ProfileForm.values()) {
        if (form.accepts(start)) {
          write(read(form, file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Profiles> read(ProfileForm form, Path file) {
    try {
      return form.read(file).profiles();
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).indexOf('\n') >= 0) {
        throw new IllegalStateException("more than one line", e);
      }
      return List.of();
    }
  }

  private static void write(List<Profiles> all) throws IOException {
    if (all.isEmpty()) {
      return;
    }
    for (ProfileFormat format : ProfileFormat.values()) {
      if (format.isForFlowsOnly()) {
        continue;
      }
      var writer = ProfileWriters.of(format, ProfileWriters.Style.PLAIN);
      for (List<Profiles> part : writer.files(all)) {
        writer.write(part, OutputStream.nullOutputStream());
      }
    }
  }
}
