package org.buftrail.profile.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.buftrail.profile.Profiles;

/** Writes profiles in one format. Belongs to one thread. */
public interface ProfileWriter {
  /**
   * What goes into one file each: all of it, or one kind.
   *
   * @param all profiles over one dictionary
   * @return lists for {@link #write}, none if there is nothing to write
   */
  default List<List<Profiles>> files(List<Profiles> all) {
    return List.of(all);
  }

  /**
   * Writes one file.
   *
   * @param file one of {@link #files}
   * @param out flushed, not closed
   * @throws IOException if {@code out} cannot be written, or a payload cannot be read
   */
  void write(List<Profiles> file, OutputStream out) throws IOException;
}
