package org.buftrail.flow.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnfollowedWrappersTest {
  @AfterEach
  void forget() {
    UnfollowedWrappers.forget();
  }

  private static List<TrackerStatus.Unfollowed> all() {
    TrackerStatus.Builder status = new TrackerStatus.Builder();
    UnfollowedWrappers.addTo(status);
    return status.build().unfollowed();
  }

  @Test
  void aClassIsListedOnceWithEachMethodThatGivesItBuffers() {
    UnfollowedWrappers.add("shop.Message", List.of("head", "body"), "has two", "shop.Router.take");
    UnfollowedWrappers.add("shop.Message", List.of("head", "body"), "has two", "shop.Router.make");
    UnfollowedWrappers.add("shop.Message", List.of("head", "body"), "has two", "shop.Router.take");
    assertThat(all()).hasSize(1);
    TrackerStatus.Unfollowed message = all().get(0);
    assertThat(message.className()).isEqualTo("shop.Message");
    assertThat(message.fields()).containsExactly("head", "body");
    assertThat(message.reason()).isEqualTo("has two");
    assertThat(message.givers()).containsExactly("shop.Router.take", "shop.Router.make");
    UnfollowedWrappers.forget();
    assertThat(all()).isEmpty();
  }

  @Test
  void classesAndMethodsAreBounded() {
    for (int i = 0; i <= UnfollowedWrappers.MAX_CLASSES; i++) {
      UnfollowedWrappers.add("shop.Message" + i, List.of("body"), "has two", "shop.Router.take");
    }
    for (int i = 0; i <= UnfollowedWrappers.MAX_METHODS; i++) {
      UnfollowedWrappers.add("shop.Message0", List.of("body"), "has two", "shop.Router.m" + i);
    }
    assertThat(all()).hasSize(UnfollowedWrappers.MAX_CLASSES);
    assertThat(all().get(0).givers()).hasSize(UnfollowedWrappers.MAX_METHODS);
  }
}
