package org.buftrail.console.input;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.Recording;
import org.buftrail.profile.input.InputStart;
import org.buftrail.profile.input.ProfileSource;
import org.buftrail.profile.input.ReadProfiles;

/** Flight recordings, plain or packed. */
final class RecordingSource implements ProfileSource {
  private static final int[] RECORDING = {'F', 'L', 'R', 0};
  private static final List<int[]> PACKED =
      List.of(
          new int[] {'P', 'K', 3, 4},
          new int[] {4, 0x22, 0x4D, 0x18},
          new int[] {2, 0x21, 0x4C, 0x18},
          new int[] {0x28, 0xB5, 0x2F, 0xFD});

  private final Options options;

  RecordingSource(Options options) {
    this.options = options;
  }

  @Override
  public String what() {
    return "a flight recording";
  }

  /** Input packed otherwise than with gzip is a recording, or unknown. */
  @Override
  public boolean accepts(InputStart start) {
    if (start.startsWith(RECORDING)) {
      return true;
    }
    for (int[] magic : PACKED) {
      if (start.startsWith(magic)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public ReadProfiles read(Path file) throws IOException {
    Conversion conversion = Recording.matching(List.of(file)).convert(options);
    return new ReadRecording(conversion);
  }
}
