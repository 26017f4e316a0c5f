package org.buftrail.profile;

import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The recording that a profile was made from, carried along as it is. */
public interface Payload {
  /** The format, such as {@code jfr}. {@code Profile.original_payload_format}. */
  String format();

  /** Its length in bytes. Writers refuse more than 2,147,483,647, where a protobuf field ends. */
  long size();

  /**
   * Opens it at its first byte; gives {@link #size} bytes. May be called again.
   *
   * @throws IOException if it cannot be read
   */
  InputStream open() throws IOException;

  /**
   * Files, one after the other.
   *
   * @param format what they are, such as {@code jfr}
   * @param files read when the profile is written, not before
   * @throws IOException if the length of one cannot be read
   */
  static Payload ofFiles(String format, List<Path> files) throws IOException {
    long total = 0;
    for (Path file : files) {
      total = Math.addExact(total, Files.size(file));
    }
    long size = total;
    List<Path> sources = List.copyOf(files);
    return new Payload() {
      @Override
      public String format() {
        return format;
      }

      @Override
      public long size() {
        return size;
      }

      @Override
      public InputStream open() throws IOException {
        List<InputStream> parts = new ArrayList<>();
        for (Path source : sources) {
          parts.add(new LazyFile(source));
        }
        return new SequenceInputStream(Collections.enumeration(parts));
      }
    };
  }
}
