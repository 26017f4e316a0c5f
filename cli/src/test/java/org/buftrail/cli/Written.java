package org.buftrail.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;

/** Profiles that a command wrote, as they are read again. */
final class Written {
  private Written() {}

  /** The first message of a file. */
  static Profiles read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return OtlpReader.read(in).get(0);
    }
  }

  /** The sum of the profiles of a name that count. */
  static long count(Profiles profiles, String name) {
    return profiles.profiles().stream()
        .filter(profile -> profile.name().equals(name))
        .filter(profile -> profile.sampleType().unit().equals("count"))
        .mapToLong(Profile::total)
        .sum();
  }
}
