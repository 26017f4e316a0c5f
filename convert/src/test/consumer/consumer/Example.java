package consumer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.jfr.Recording;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriters;

public final class Example {
  public static void main(String[] args) throws IOException {
    Profiles profiles = Recording.of(Path.of(args[0])).profiles();
    try (OutputStream out = Files.newOutputStream(Path.of(args[1]))) {
      ProfileWriters.of(ProfileFormat.OTLP).write(List.of(profiles), out);
    }
  }
}
