package org.buftrail.it;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;

/** A file of JaCoCo's: blocks with the probes of a class each. */
final class CoverageFile {
  private static final int HEADER = 0x01;
  private static final int SESSION = 0x10;
  private static final int CLASS = 0x11;

  private CoverageFile() {}

  /** The id of a class, which JaCoCo takes from its bytes, and its probes. */
  static String of(Path file, String internalName) throws IOException {
    TreeSet<String> found = new TreeSet<>();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      for (int block = in.read(); block >= 0; block = in.read()) {
        switch (block) {
          case HEADER:
            in.readInt();
            break;
          case SESSION:
            in.readUTF();
            in.readLong();
            in.readLong();
            break;
          case CLASS:
            long id = in.readLong();
            String name = in.readUTF();
            String probes = probes(in);
            if (name.equals(internalName)) {
              found.add(Long.toHexString(id) + " " + probes);
            }
            break;
          default:
            throw new IOException("block " + block + " in " + file);
        }
      }
    }
    if (found.isEmpty()) {
      throw new IOException(file + " says nothing of " + internalName);
    }
    return String.join("\n", found);
  }

  private static String probes(DataInputStream in) throws IOException {
    int count = 0;
    int shift = 0;
    int part;
    do {
      part = in.readUnsignedByte();
      count |= (part & 0x7f) << shift;
      shift += 7;
    } while (part > 0x7f);
    StringBuilder probes = new StringBuilder();
    for (int i = 0, bits = 0; i < count; i++, bits >>>= 1) {
      bits = i % 8 == 0 ? in.readUnsignedByte() : bits;
      probes.append(bits & 1);
    }
    return probes.toString();
  }
}
