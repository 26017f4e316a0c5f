package org.buftrail.console.input;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.report.FlowProfiles;
import org.jspecify.annotations.Nullable;

/** Flows, which reports show better than their profiles do. Belongs to one thread. */
public final class ReadFlows implements ReadProfiles {
  private final Snapshot snapshot;
  private @Nullable Profiles profiles;

  /**
   * @param snapshot what reports show
   */
  public ReadFlows(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /** Whose flows these are, by attributes as OpenTelemetry names them; empty if nobody said so. */
  public Map<String, Object> resource() {
    Map<String, Object> resource = new TreeMap<>();
    TrackedProcess process = snapshot.process();
    if (process != null) {
      put("service.name", process.name(), resource);
      put("service.version", process.version(), resource);
      put("host.name", process.host(), resource);
      resource.put("process.pid", process.pid());
    }
    return resource;
  }

  private static void put(String key, String value, Map<String, Object> resource) {
    if (!value.isEmpty()) {
      resource.put(key, value);
    }
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
