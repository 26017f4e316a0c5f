package org.buftrail.profile.pprof;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * Writes profiles as pprof, compressed with gzip.
 *
 * <p>All values of a pprof file are of the same samples, so each {@linkplain #files group} of
 * profiles over the same samples is a file of its own. Samples of equal stack and labels stay apart
 * if their links differ; time stamps are summed up, for pprof has none. Belongs to one thread.
 */
public final class PprofWriter {
  private PprofWriter() {}

  /**
   * The profiles that go into one file each, in their order.
   *
   * @return lists of profiles that share their samples
   */
  public static List<List<Profile>> files(Profiles profiles) {
    Map<Samples, List<Profile>> groups = new LinkedHashMap<>();
    for (Profile profile : profiles.profiles()) {
      groups.computeIfAbsent(profile.samples(), samples -> new ArrayList<>()).add(profile);
    }
    return List.copyOf(groups.values());
  }

  /**
   * Writes one file.
   *
   * @param group one of {@link #files}
   * @param dictionary the tables of the profiles; may be given some strings more
   * @param target not closed
   * @throws IllegalArgumentException if there is no profile, or they do not share their samples
   * @throws IOException if the target cannot be written
   */
  public static void write(List<Profile> group, Dictionary dictionary, OutputStream target)
      throws IOException {
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a pprof file has at least one profile");
    }
    for (Profile profile : group) {
      if (profile.samples() != group.get(0).samples()) {
        throw new IllegalArgumentException("profiles of one pprof file share their samples");
      }
    }
    GZIPOutputStream packed = new GZIPOutputStream(target, 1 << 15);
    new PprofEncoder(dictionary).encode(group).writeTo(packed);
    packed.finish();
  }
}
