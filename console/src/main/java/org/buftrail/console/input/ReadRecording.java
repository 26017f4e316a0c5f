package org.buftrail.console.input;

import java.util.List;
import org.buftrail.jfr.Conversion;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;

/** What became of a recording. */
public record ReadRecording(Conversion conversion) implements ReadProfiles {
  @Override
  public List<Profiles> profiles() {
    return List.of(conversion.profiles());
  }

  @Override
  public List<String> damages() {
    return conversion.damages().stream().map(Object::toString).toList();
  }

  @Override
  public List<String> notes() {
    return conversion.notes();
  }
}
