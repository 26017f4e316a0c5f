package org.buftrail.console.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.buftrail.jfr.Options;
import org.buftrail.profile.input.InputStart;
import org.buftrail.profile.input.ProfileForm;
import org.buftrail.profile.input.ProfileSource;
import org.buftrail.profile.input.ReadProfiles;
import org.jspecify.annotations.Nullable;

/** Everything that holds profiles. Which of them a file is, its first bytes say, not its name. */
public final class Sources {
  private final RecordingSource recording;

  /**
   * @param options what of recordings is read, and how
   */
  public Sources(Options options) {
    recording = new RecordingSource(options);
  }

  /** Recordings as they are. */
  public Sources() {
    this(Options.DEFAULT);
  }

  /**
   * What an input is. Directories, globs, pipes and standard input, unless {@link Pipes} made files
   * of them, are taken for recordings, and so is what does not exist or cannot be opened.
   *
   * @return null if it is none
   */
  public @Nullable ProfileSource of(Path input) {
    if (!Files.isRegularFile(input)) {
      return recording;
    }
    InputStart start;
    try {
      start = InputStart.of(input);
    } catch (IOException e) {
      // Is said when it is read.
      return recording;
    }
    return of(start);
  }

  /**
   * What begins so.
   *
   * @return null if it is nothing that is known
   */
  @Nullable ProfileSource of(InputStart start) {
    if (recording.accepts(start)) {
      return recording;
    }
    for (ProfileSource source : Others.ALL) {
      if (source.accepts(start)) {
        return source;
      }
    }
    return null;
  }

  /** What is no recording. Apart, so that a conversion of one loads nothing of it. */
  private static final class Others {
    static final List<ProfileSource> ALL =
        List.of(
            new SnapshotSource(),
            ProfileForm.OTLP_JSON,
            ProfileForm.COLLAPSED,
            ProfileForm.OTLP,
            ProfileForm.PPROF);
  }

  /** Whether an input is a recording, or may be one that is damaged: none of the others. */
  public boolean isRecording(Path input) {
    return isRecording(of(input));
  }

  /** Whether what begins so is a recording, or may be one. */
  boolean isRecording(InputStart start) {
    return isRecording(of(start));
  }

  private boolean isRecording(@Nullable ProfileSource source) {
    return source == null || source == recording;
  }

  /**
   * Reads an input.
   *
   * @throws IOException if it cannot be read or is none of what there is; the text names it
   */
  public ReadProfiles read(Path input) throws IOException {
    ProfileSource source = of(input);
    if (source == null) {
      String others =
          Others.ALL.stream().map(ProfileSource::what).collect(Collectors.joining(", "));
      throw new IOException(
          Files.size(input) == 0
              ? input + ": is empty"
              : input + ": holds no profiles, being none of: " + recording.what() + ", " + others);
    }
    return source.read(input);
  }
}
