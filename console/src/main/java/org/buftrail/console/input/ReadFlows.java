package org.buftrail.console.input;

import java.util.List;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.report.FlowProfiles;
import org.jspecify.annotations.Nullable;

/** Flows, which reports show better than their profiles do. Belongs to one thread. */
public final class ReadFlows implements ReadProfiles {
  private final Snapshot snapshot;
  private @Nullable Profiles profiles;

  ReadFlows(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** The flows. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** The flows as profiles, made when they are asked for. */
  @Override
  public List<Profiles> profiles() {
    Profiles made = profiles;
    if (made == null) {
      made = FlowProfiles.of(snapshot);
      profiles = made;
    }
    return List.of(made);
  }

  @Override
  public List<String> damages() {
    return List.of();
  }
}
