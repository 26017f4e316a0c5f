package org.buftrail.console.input;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.buftrail.profile.input.InputStart;
import org.buftrail.profile.input.ProfileForm;
import org.buftrail.profile.input.ProfileSource;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.json.JsonException;
import org.buftrail.report.SnapshotJsonReader;

/** Snapshots of flows, as the agent writes them. */
final class SnapshotSource implements ProfileSource {
  @Override
  public String what() {
    return "a flow snapshot";
  }

  @Override
  public boolean accepts(InputStart start) {
    return start.isJson() && start.contains("\"buftrail.flows\"");
  }

  @Override
  public ReadProfiles read(Path file) throws IOException {
    try (Reader text =
        new InputStreamReader(ProfileForm.open(file), StandardCharsets.UTF_8.newDecoder())) {
      return new ReadFlows(SnapshotJsonReader.read(text));
    } catch (JsonException e) {
      throw e.in(file.toString());
    }
  }
}
