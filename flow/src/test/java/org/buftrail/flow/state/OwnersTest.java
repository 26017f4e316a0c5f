package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import org.buftrail.flow.FakeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class OwnersTest {
  private final FakeBuffer buffer = FakeBuffer.heap(1);

  private static final class Holder extends HolderRoot {
    private final @Nullable Object content;

    Holder(@Nullable Object content) {
      this.content = content;
    }

    @Override
    public @Nullable Object buftrail$content() {
      return content;
    }
  }

  private static final class View extends TrackedBuffer {
    private final @Nullable TrackedBuffer of;

    View(@Nullable TrackedBuffer of) {
      this.of = of;
    }

    @Override
    public @Nullable TrackedBuffer buftrail$owner() {
      return of;
    }

    @Override
    public int refCnt() {
      return 1;
    }

    @Override
    public int capacity() {
      return 1;
    }

    @Override
    public boolean isDirect() {
      return false;
    }
  }

  private TrackedBuffer views(int count) {
    TrackedBuffer view = buffer;
    for (int i = 0; i < count; i++) {
      view = new View(view);
    }
    return view;
  }

  @Test
  void theOwnerIsAtTheEndOfTheViews() {
    assertThat(Owners.owner(buffer) == buffer).isTrue();
    assertThat(Owners.owner(views(1)) == buffer).isTrue();
    assertThat(Owners.owner(views(63)) == buffer).isTrue();
    assertThat(Owners.owner(views(64))).as("too many to be believed").isNull();
    assertThat(Owners.owner(null)).isNull();
    assertThat(Owners.owner(new View(null))).isNull();
    assertThat(Owners.owner(new View(new View(null)))).isNull();
  }

  @Test
  void aHolderHasWhatAFewHoldersWithinHave() {
    Object holder = buffer;
    for (int i = 0; i < 4; i++) {
      holder = new Holder(holder);
      assertThat(Owners.held(holder) == buffer).isTrue();
    }
    assertThat(Owners.held(new Holder(holder))).as("too many to be believed").isNull();
    assertThat(Owners.held(new Holder(null))).isNull();
    assertThat(Owners.held(buffer)).as("no holder").isNull();
    assertThat(Owners.held("text")).isNull();
  }

  @Test
  void aHolderByInterfaceAloneIsAskedUnlessTheApplicationAnswersInItsPlace() {
    Owners.expectOthers();
    BufferHolder holder = () -> buffer;
    assertThat(Owners.held(holder) == buffer).isTrue();
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {BufferHolder.class},
            (self, method, arguments) -> buffer);
    assertThat(Owners.held(proxy)).isNull();
  }
}
