package org.buftrail.profile.input;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.Profiles;

/**
 * Reads profiles of every form in {@link ProfileForm}. Which one it is, and whether it is packed
 * with gzip, the first bytes tell.
 */
public final class ProfileReaders {
  private ProfileReaders() {}

  /**
   * Reads a file.
   *
   * @return one for each resource and scope, all over one dictionary
   * @throws IOException if it cannot be read or holds no profiles; the text names it
   */
  public static List<Profiles> read(Path file) throws IOException {
    return form(InputStart.of(file), file.toString()).read(file).profiles();
  }

  /**
   * Reads a stream to its end.
   *
   * @param name what messages call it
   * @param in not closed
   * @throws IOException if it cannot be read or holds no profiles
   */
  public static List<Profiles> read(String name, InputStream in) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(in, InputStart.LENGTH);
    buffered.mark(InputStart.LENGTH);
    InputStart start = InputStart.of(buffered);
    buffered.reset();
    return form(start, name).read(name, buffered);
  }

  private static ProfileForm form(InputStart start, String name) throws IOException {
    for (ProfileForm form : ProfileForm.values()) {
      if (form.accepts(start)) {
        return form;
      }
    }
    throw new IOException(name + ": holds no profiles that are known");
  }
}
