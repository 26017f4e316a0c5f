package org.buftrail.profile.input;

import java.util.List;
import org.buftrail.profile.Profiles;

/** The profiles read from a file. Belongs to one thread, like its profiles. */
public interface ReadProfiles {
  /** One for each resource and scope, all over one dictionary; unmodifiable. */
  List<Profiles> profiles();

  /** What could not be read, each in one line; unmodifiable. */
  List<String> damages();

  /** Notes that are no damage, each in one line; unmodifiable. */
  default List<String> notes() {
    return List.of();
  }

  /**
   * Profiles that were read.
   *
   * @param profiles one for each resource and scope, all over one dictionary
   * @param damages what could not be read, each in one line
   */
  static ReadProfiles of(List<Profiles> profiles, List<String> damages) {
    List<Profiles> all = List.copyOf(profiles);
    List<String> lines = List.copyOf(damages);
    return new ReadProfiles() {
      @Override
      public List<Profiles> profiles() {
        return all;
      }

      @Override
      public List<String> damages() {
        return lines;
      }
    };
  }
}
