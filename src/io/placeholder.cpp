#include "talus/core/types.hpp"
