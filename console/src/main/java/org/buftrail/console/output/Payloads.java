package org.buftrail.console.output;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.buftrail.profile.Payload;

/** Recordings as they are, to be carried along by the profiles that are made of them. */
public final class Payloads {
  private static final byte[] MAGIC = {'F', 'L', 'R', 0};

  private Payloads() {}

  /** The recordings one after the other, which is a recording again. */
  public static Payload of(List<Path> files) throws IOException, CommandFailure {
    for (Path file : files) {
      if (!Files.isRegularFile(file)) {
        throw new CommandFailure("--include-payload takes files, which " + file + " is not");
      }
      if (!isPlain(file)) {
        throw new CommandFailure(
            "--include-payload takes plain recordings; unpack " + file + " first");
      }
    }
    Payload payload = Payload.ofFiles("jfr", files);
    if (payload.size() > Integer.MAX_VALUE) {
      throw new CommandFailure(
          "--include-payload: the recordings have "
              + payload.size()
              + " bytes, and a protobuf field ends at 2147483647; leave it out, or convert fewer"
              + " at a time");
    }
    return payload;
  }

  private static boolean isPlain(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  /** Length of inputs in bytes; 0 if that is not known, or not that of plain recordings. */
  static long length(List<Path> inputs) {
    long total = 0;
    try {
      for (Path input : inputs) {
        if (!isPlain(input)) {
          return 0;
        }
        total += Files.size(input);
      }
    } catch (IOException e) {
      // Said when it is read.
      return 0;
    }
    return total;
  }
}
