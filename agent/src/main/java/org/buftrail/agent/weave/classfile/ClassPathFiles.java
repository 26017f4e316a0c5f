package org.buftrail.agent.weave.classfile;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads class files from the class path, in its order, as the JVM's own loader does.
 *
 * <p>That loader would make a URL and a connection for each file, which takes five times as long;
 * thousands are read while an application starts. A jar is opened when the search comes to it, and
 * stays open, as it does for the loader, with which the JDK shares it. Thread-safe.
 */
public final class ClassPathFiles {
  private static final int MAX_CLASS_FILE = 16 << 20;

  /** The files that the search came to, in order: each a {@link JarFile} or a directory. */
  private final List<Object> opened = new ArrayList<>();

  private final Deque<File> unopened = new ArrayDeque<>();
  private final Set<File> known = new HashSet<>();

  /** Behind a jar that cannot be read nothing is known of the order. */
  private boolean ended;

  /**
   * @param classPath files, as the JVM separates them
   */
  public ClassPathFiles(String classPath) {
    for (String element : classPath.split(File.pathSeparator, -1)) {
      unopened.add(new File(element.isEmpty() ? "." : element));
    }
  }

  /** A class file, or null where it must be looked for in another way. */
  public byte @Nullable [] read(String name) {
    try {
      Object element = element(0);
      for (int i = 1; element != null; i++) {
        byte[] found =
            element instanceof JarFile
                ? readFrom((JarFile) element, name)
                : readFrom((Path) element, name);
        if (found != null) {
          return found;
        }
        element = element(i);
      }
    } catch (IOException | RuntimeException e) {
      return null;
    }
    return null;
  }

  private static byte @Nullable [] readFrom(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    if (entry == null) {
      return null;
    }
    long size = entry.getSize();
    try (InputStream in = jar.getInputStream(entry)) {
      // At once, where it is known how much: else a buffer is made for each file and filled twice.
      return size < 0 || size > MAX_CLASS_FILE
          ? in.readNBytes(MAX_CLASS_FILE)
          : in.readNBytes((int) size);
    }
  }

  private static byte @Nullable [] readFrom(Path directory, String name) throws IOException {
    Path file = directory.resolve(name);
    return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
  }

  private synchronized @Nullable Object element(int index) throws IOException {
    while (index >= opened.size() && !ended) {
      File next = unopened.poll();
      ended = next == null;
      if (next != null && known.add(next)) {
        open(next);
      }
    }
    return index < opened.size() ? opened.get(index) : null;
  }

  /** Opens a file; the loader also skips missing ones. */
  private void open(File file) throws IOException {
    if (file.isDirectory()) {
      opened.add(file.toPath());
    } else if (file.exists()) {
      ended = true;
      JarFile jar = new JarFile(file, false, ZipFile.OPEN_READ, Runtime.version());
      opened.add(jar);
      addNamedBy(jar.getManifest(), file);
      ended = false;
    }
  }

  /** A manifest may name more, which come before all that is behind the jar. */
  private void addNamedBy(@Nullable Manifest manifest, File jar) {
    Deque<File> last = new ArrayDeque<>();
    for (URI each : ManifestClassPath.of(manifest, jar)) {
      last.push(new File(each));
    }
    last.forEach(unopened::addFirst);
  }
}
