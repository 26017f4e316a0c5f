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
  private final Map<String, Library> known = new HashMap<>();

  /** A library as it was added. */
  private record Library(String path, String buildId, long start, long limit) {}

  public NativeLibraries(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** Forgets all: another process is recorded. */
  public void clear() {
    mappings.clear();
    known.clear();
  }

  /** Begins with an empty dictionary, and the same process. */
  public void renew() {
    mappings.clear();
    known.forEach((name, library) -> mappings.put(name, mapping(library)));
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
      Library library = new Library(path, buildId, start, limit);
      put(path.substring(path.lastIndexOf('/') + 1), library);
      put(buildId, library);
    }
  }

  private int put(String name, Library library) {
    int mapping = mapping(library);
    known.put(name, library);
    mappings.put(name, mapping);
    return mapping;
  }

  private int mapping(Library library) {
    int set =
        dictionary
            .attributeSets()
            .intern(dictionary.attributes().intern(BUILD_ID, library.buildId));
    int name = dictionary.strings().intern(library.path);
    return dictionary.mappings().intern(library.start, library.limit, 0, name, set);
  }

  /** The mapping of the library of a name, an index in the string table; 0 if it has none. */
  public int ofName(int name) {
    return name == 0 || mappings.isEmpty()
        ? 0
        : mappings.getOrDefault(dictionary.strings().get(name), 0);
  }

  /** The mapping of a library that frames know by its build id alone. */
  public int ofBuildId(String buildId) {
    Integer mapping = mappings.get(buildId);
    return mapping == null ? put(buildId, new Library("", buildId, 0, 0)) : mapping;
  }
}
