package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.AddedResources;
import org.buftrail.flow.woven.Resources;
import org.buftrail.model.Site;
import org.buftrail.model.TrackedResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Probe.class)
final class TrackedResourcesTest {
  private static final int PASSED = Probe.site("Passed");

  /** Describes a session, which is as large as its name is long. */
  private static final class Sessions implements TrackedResource {
    private final String type;

    Sessions(String type) {
      this.type = type;
    }

    @Override
    public String type() {
      return type;
    }

    @Override
    public List<String> open() {
      return List.of("new");
    }

    @Override
    public List<String> close() {
      return List.of("end");
    }

    @Override
    public long bytes(Object open) {
      return 40;
    }
  }

  /** One test, since who weaves is told once for the whole JVM. */
  @Test
  void whatIsAddedWaitsForTheAgentAndIsFollowedUntilItIsRemoved() {
    TrackedResource early = new Sessions("test.Early");
    TrackedResource regretted = new Sessions("test.Regretted");
    TrackedResources.add(early);
    TrackedResources.add(regretted);
    TrackedResources.remove(regretted);
    List<TrackedResource> woven = new ArrayList<>();
    AddedResources.setWeaver(woven::add);
    assertThat(woven).containsExactly(early);
    TrackedResource late = new Sessions(Object.class.getName());
    TrackedResources.add(late);
    assertThat(woven).containsExactly(early, late);
    AddedResources.setWeaver(woven::add);
    assertThat(woven).as("nothing is told twice").containsExactly(early, late);

    int type = Resources.register("test.Late", late.type(), false, late);
    int root = Sites.intern(new Site("test.Late", "open", "", 0, ""));
    Object before = new Object();
    Resources.opened(before, type);
    TrackedResources.remove(late);
    Object after = new Object();
    Resources.opened(after, type);
    Resources.passed(before, PASSED);
    Resources.passed(after, PASSED);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("Passed", Probe.live(1, 40)));
    Resources.closed(before, type);
    Resources.closed(after, type);
  }
}
