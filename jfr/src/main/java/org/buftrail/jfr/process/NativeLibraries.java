package org.buftrail.jfr.process;

import java.util.HashMap;
import java.util.Map;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * The native libraries of a process of which the recording tells the build id, as mappings of the
 * dictionary. Datadog's profiler writes build ids; the JDK and async-profiler do not, and a mapping
 * without one says nothing that the library's name does not say.
 */
public final class NativeLibraries {
  private static final String BUILD_ID = "process.executable.build_id.gnu";

  private final Dictionary dictionary;
  private final Map<String, Integer> mappings = new HashMap<>();

  public NativeLibraries(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** Forgets all: another process is recorded. */
  public void clear() {
    mappings.clear();
  }

  /**
   * Adds a library.
   *
   * @param buildId empty if it has none
   * @param start first address, unsigned
   * @param limit first address behind it, unsigned
   */
  public void add(String path, String buildId, long start, long limit) {
    if (!buildId.isEmpty()) {
      int mapping = mapping(path, buildId, start, limit);
      mappings.put(path.substring(path.lastIndexOf('/') + 1), mapping);
      mappings.put(buildId, mapping);
    }
  }

  private int mapping(String path, String buildId, long start, long limit) {
    int set = dictionary.attributeSets().intern(dictionary.attributes().intern(BUILD_ID, buildId));
    int name = dictionary.strings().intern(path);
    return dictionary.mappings().intern(start, limit, 0, name, set);
  }

  /** The mapping of the library of a name, an index in the string table; 0 if it has none. */
  public int ofName(int name) {
    return name == 0 || mappings.isEmpty()
        ? 0
        : mappings.getOrDefault(dictionary.strings().get(name), 0);
  }

  /** The mapping of a library that frames know by its build id alone. */
  public int ofBuildId(String buildId) {
    return mappings.computeIfAbsent(buildId, id -> mapping("", id, 0, 0));
  }
}
